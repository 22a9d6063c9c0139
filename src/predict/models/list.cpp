#include "predict/models/list.hpp"

#include <sys/stat.h>

#include "predict/models/cpp.hpp"
#include "predict/models/cpp_exceptions.hpp"
#include "predict/models/hdf5.hpp"
#include "predict/models/libc.hpp"
#include "predict/models/mpi.hpp"
#include "predict/models/streams.hpp"

namespace trikal::predict {

namespace {

using Family = std::span<const NamedModel> (*)();
// clang-format off
constexpr Family kFamilies[] = {
    posix_models, name_models, stream_models, text_models, string_models, memory_models, process_models,
    number_models, option_models, cpp_text_models, cpp_stream_models, mpi_models, mpi_message_models, mpi_together_models, mpi_group_models, async_models, random_models,
    sorting_models, fortran_io_models, fortran_item_models, fortran_file_models, fortran_text_models,
    fortran_value_models, hdf5_file_models, hdf5_dataset_models, hdf5_space_models, hdf5_type_models,
    hdf5_list_models, hdf5_attribute_models, hdf5_lite_models, fortran_mpi_models, cpp_input_models,
    cpp_filesystem_models, cpp_buffer_models, cpp_file_models, cpp_memory_models, cpp_container_models, netcdf_models,
    netcdf_posix_models, uring_models, cpp_path_models, cpp_folder_models, stream_inlined_models,
    stream_state_models, scan_models,
    mathematics_models, calendar_models, environment_models, locale_models, wide_models, wide_text_models,
    wide_stream_models, memory_stream_models, message_models, system_models, limit_models, thread_models,
    text_part_models, searching_models, signal_models, command_models, obstack_models, attribute_models,
    current_models, temporary_models, folder_models, walk_models, fts_models, openmp_models, openmp_loop_models,
    openmp_function_models, jump_models, cpp_exception_models, cpp_type_models, cpp_standard_exception_models,
};
// clang-format on

}  // namespace

Models all_models() {
  Models all;
  for (const Family family : kFamilies)
    for (const NamedModel& model : family()) all.emplace(model.name, model.run);
  return all;
}

Model model_for(const Models& models, std::string_view name) {
  for (const std::string_view prefix : {"", "__isoc99_", "__isoc23_", "\01"}) {
    if (!name.starts_with(prefix)) continue;
    if (const auto found = models.find(name.substr(prefix.size())); found != models.end()) return found->second;
  }
  // The same without a lock, or in a locale that is told: one thread at a time is followed, and numbers are those of "C".
  for (const std::string_view suffix : {"_unlocked", "_l"})
    if (name.ends_with(suffix))
      if (const auto found = models.find(name.substr(0, name.size() - suffix.size())); found != models.end())
        return found->second;
  if (name.starts_with("ncmpi_") || name.starts_with("nc_")) return netcdf_model_for(name);
  if (const Model model = exception_model_for(name)) return model;
  // How HDF5 does it beneath, which nothing that is predicted depends on; what does has a model of its own.
  return name.starts_with("H5Pset_") || name.starts_with("H5Tset_") ? succeeds : nullptr;
}

void prepare_world(Machine& machine) {
  for (const std::string_view name : {"<STDIN>", "<STDOUT>", "<STDERR>"}) {
    const std::uint32_t file = machine.world.standard(name);
    const int descriptor = machine.world.open(file);
    machine.world.make_stream(descriptor);
    machine.world.hold(descriptor);  // the stream stays what it is where its descriptor becomes another file's
  }
  machine.world.files[2].flags = analyze::kUseUnbuffered;
  File& input = machine.world.files[0];
  input.size = machine.setting.stdin_bytes;
  input.size_known = true;
  if (const std::string& told = machine.setting.stdin_file; !told.empty()) {
    input.lies = told, input.original = true;
    struct stat found{};
    if (::stat(told.c_str(), &found) == 0) input.size = static_cast<Word>(found.st_size);
  }
  machine.decoder.on_external = [&machine](std::string_view name, Word address) {
    const auto set = [&](Word value) { machine.memory.store(address, 8, Value::of(value)); };
    if (name == "stdin" || name == "_IO_2_1_stdin_") set(machine.world.standard_stream(0)->address);
    else if (name == "stdout" || name == "_IO_2_1_stdout_") set(machine.world.standard_stream(1)->address);
    else if (name == "stderr" || name == "_IO_2_1_stderr_") set(machine.world.standard_stream(2)->address);
    else if (name.starts_with("_ZS") || name.starts_with("_ZT")) cpp_external(machine, name, address);
    else if (name == "optind" || name == "opterr") machine.memory.store(address, 4, Value::of(Word{1}));
    else if (name.starts_with("H5")) hdf5_external(machine, name, address);
    else if (!libc_external(machine, name, address)) mpi_external(machine, name, address);
  };
}

std::vector<Value> main_arguments(Machine& machine) {
  const std::vector<std::string>& words = machine.setting.arguments;
  const Word argv = machine.world.take(8 * (words.size() + 1));
  for (std::size_t i = 0; i < words.size(); ++i) {
    const Word text = machine.world.take(words[i].size() + 1);
    machine.memory.write(text, words[i].c_str(), words[i].size() + 1);
    machine.memory.store(argv + 8 * i, 8, Value::of(text));
  }
  return {Value::of(Word{words.size()}), Value::of(argv), Value::of(environment_table(machine))};
}

}  // namespace trikal::predict
