#pragma once
// What functions do that are not part of the program. One file for each family; list.cpp names the families.

#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "predict/machine/machine.hpp"

namespace trikal::predict {

struct NamedModel {
  std::string_view name;
  Model run;
};
using Models = std::unordered_map<std::string_view, Model>;

std::span<const NamedModel> posix_models();
std::span<const NamedModel> name_models();       // files by name: unlink, rename, mkdir ...
std::span<const NamedModel> attribute_models();  // stat, access, chmod ...
std::span<const NamedModel> current_models();    // the current folder; parts of names
std::span<const NamedModel> temporary_models();
std::span<const NamedModel> folder_models();  // opendir ...
std::span<const NamedModel> walk_models();    // nftw, glob
std::span<const NamedModel> fts_models();
std::span<const NamedModel> stream_models();  // STDIO
std::span<const NamedModel> stream_state_models();
std::span<const NamedModel> stream_inlined_models();
std::span<const NamedModel> text_models();    // printf
std::span<const NamedModel> scan_models();    // scanf
std::span<const NamedModel> string_models();
std::span<const NamedModel> memory_models();
std::span<const NamedModel> process_models();
std::span<const NamedModel> random_models();
std::span<const NamedModel> sorting_models();
std::span<const NamedModel> number_models();  // parsing of numbers, ctype
std::span<const NamedModel> mathematics_models();
std::span<const NamedModel> calendar_models();  // dates
std::span<const NamedModel> environment_models();
std::span<const NamedModel> locale_models();
std::span<const NamedModel> wide_models();       // wide characters
std::span<const NamedModel> wide_text_models();  // and texts of them
std::span<const NamedModel> wide_stream_models();
std::span<const NamedModel> memory_stream_models();
std::span<const NamedModel> message_models();  // what is said of errors
std::span<const NamedModel> system_models();   // the machine, its users
std::span<const NamedModel> limit_models();
std::span<const NamedModel> option_models();  // getopt
std::span<const NamedModel> cpp_text_models();    // std::string
std::span<const NamedModel> cpp_stream_models();  // what is put into streams
std::span<const NamedModel> cpp_input_models();   // and taken from them
std::span<const NamedModel> cpp_buffer_models();
std::span<const NamedModel> cpp_file_models();    // std::filebuf
std::span<const NamedModel> cpp_memory_models();  // std::stringbuf
std::span<const NamedModel> cpp_filesystem_models();
std::span<const NamedModel> cpp_path_models();
std::span<const NamedModel> cpp_folder_models();  // iterators over them, and removing
std::span<const NamedModel> mpi_models();
std::span<const NamedModel> hdf5_file_models();  // and groups, links, objects
std::span<const NamedModel> hdf5_dataset_models();
std::span<const NamedModel> hdf5_space_models();
std::span<const NamedModel> hdf5_type_models();
std::span<const NamedModel> hdf5_list_models();  // and what concerns all handles
std::span<const NamedModel> hdf5_attribute_models();
std::span<const NamedModel> hdf5_lite_models();  // H5LT
std::span<const NamedModel> async_models();
std::span<const NamedModel> thread_models();
std::span<const NamedModel> text_part_models();  // and patterns
std::span<const NamedModel> searching_models();
std::span<const NamedModel> signal_models();
std::span<const NamedModel> command_models();  // other programs: system, exec, pipes
std::span<const NamedModel> obstack_models();
std::span<const NamedModel> openmp_models();  // parallel regions
std::span<const NamedModel> openmp_loop_models();  // and tasks
std::span<const NamedModel> openmp_function_models();
std::span<const NamedModel> jump_models();  // setjmp
std::span<const NamedModel> cpp_exception_models();
std::span<const NamedModel> cpp_standard_exception_models();  // and who throws them
std::span<const NamedModel> uring_models();  // io_uring
std::span<const NamedModel> fortran_io_models();
std::span<const NamedModel> fortran_item_models();
std::span<const NamedModel> fortran_file_models();  // INQUIRE
std::span<const NamedModel> fortran_text_models();
std::span<const NamedModel> fortran_value_models();  // arrays
std::span<const NamedModel> fortran_mpi_models();
std::span<const NamedModel> netcdf_models();        // PnetCDF: files
std::span<const NamedModel> netcdf_posix_models();  // NetCDF's own: files
[[nodiscard]] Model netcdf_model_for(std::string_view name);  // what is in them, and functions for each type

// Elements that lie one after the other, sorted by a function of the program's or of the library's.
struct Sorted {
  Word base, count, size;
};
void sort_elements(Machine& machine, const Call& call, const Sorted& what, Value by, std::optional<Value> more = {});

// Returns zero and does nothing that a prediction would see.
inline void succeeds(Machine&, Call&) {}

[[nodiscard]] Models all_models();
[[nodiscard]] Model model_for(const Models& models, std::string_view name);

// Of a variable that each thread has for itself: where the one of this thread is.
[[nodiscard]] Value own_copy(Machine& machine, Value variable);

// LLVM's own functions. What one without a model gives is not known.
void intrinsic(Machine& machine, Call& call, const llvm::Function& callee);
// Those on scalars, and one lane of those on vectors; false: there is no model.
bool scalar_intrinsic(Machine& machine, Call& call, unsigned id);

// Standard streams, and what libc keeps in variables.
void prepare_world(Machine& machine);
// argc, argv and envp as main gets them.
std::vector<Value> main_arguments(Machine& machine);

}  // namespace trikal::predict
