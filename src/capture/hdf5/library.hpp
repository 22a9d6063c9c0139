#pragma once
// The HDF5 of this process, known without its header: handles are 64-bit numbers, and what it says of files, datasets and
// selections is asked for through functions that are found by name. docs/decisions/0022-hdf5.md says why so.

#include <cstddef>
#include <cstdint>

namespace trikal::capture {

using Hdf5Id = std::int64_t;  // hid_t since 1.10
using Hdf5Size = unsigned long long;  // hsize_t

// H5P_DEFAULT, H5S_ALL, H5S_BLOCK and H5S_PLIST are small numbers, and no handle is.
[[nodiscard]] constexpr bool is_hdf5_handle(Hdf5Id id) noexcept { return id > 2; }

inline constexpr std::size_t kHdf5Dimensions = 5;  // that records have slots for
inline constexpr std::size_t kHdf5MostDimensions = 32;

struct Hdf5Shape {
  std::int64_t element_bytes = 0;
  std::int64_t dimensions = 0;
  std::int64_t elements = 0;
  std::int64_t chunk[kHdf5Dimensions] = {};  // the fastest dimension first; all 0: not in chunks
};

struct Hdf5Selection {
  enum class Kind : std::uint8_t { kWhole, kPoints, kRegular, kIrregular };
  Kind kind = Kind::kWhole;
  std::int64_t elements = 0;
  std::int64_t length[kHdf5Dimensions] = {};  // of a regular one, in the order of the record
  std::int64_t stride[kHdf5Dimensions] = {};
};

// All questions come after a call of the program's that succeeded: they clear HDF5's stack of errors, which is empty then.
class Hdf5Library {
 public:
  // Finds the functions and calls none: HDF5 would initialise itself at a time that the program did not choose. False: a
  // version before 1.10, whose handles have 32 bits, or not all of it.
  bool look() noexcept;

  [[nodiscard]] bool is_dataset(Hdf5Id object) const noexcept;
  // The handle of the file that an object lies in, as the program has it if it has one; 0 if HDF5 does not say.
  [[nodiscard]] Hdf5Id file_of(Hdf5Id object) const noexcept;
  // Length of the name, 0 if there is none. Longer ones are cut.
  [[nodiscard]] std::size_t path_of_file(Hdf5Id object, char* out, std::size_t capacity) const noexcept;
  [[nodiscard]] std::size_t name_in_file(Hdf5Id object, char* out, std::size_t capacity) const noexcept;

  [[nodiscard]] Hdf5Shape shape_of(Hdf5Id dataset) const noexcept;
  // Of a dataset that was just made of these.
  [[nodiscard]] Hdf5Shape shape_of(Hdf5Id type, Hdf5Id space, Hdf5Id creation) const noexcept;
  [[nodiscard]] Hdf5Selection selection_of(Hdf5Id dataset, Hdf5Id file_space) const noexcept;
  [[nodiscard]] bool is_collective(Hdf5Id transfer_list) const noexcept;
  [[nodiscard]] bool is_parallel(Hdf5Id access_list) const noexcept;

 private:
  class Quiet;
  void describe_chunks(Hdf5Id creation, Hdf5Shape& shape) const noexcept;
  void describe_space(Hdf5Id space, Hdf5Shape& shape) const noexcept;
  void describe_hyperslab(Hdf5Id space, Hdf5Selection& selection) const noexcept;

  using Close = int(Hdf5Id);
  int (*type_of_)(Hdf5Id) = nullptr;
  std::ptrdiff_t (*name_of_)(Hdf5Id, char*, std::size_t) = nullptr;
  std::ptrdiff_t (*file_name_)(Hdf5Id, char*, std::size_t) = nullptr;
  Hdf5Id (*get_file_)(Hdf5Id) = nullptr;
  int (*release_)(Hdf5Id) = nullptr;
  Hdf5Id (*get_space_)(Hdf5Id) = nullptr;
  Hdf5Id (*get_type_)(Hdf5Id) = nullptr;
  Hdf5Id (*get_creation_)(Hdf5Id) = nullptr;
  Close* close_space_ = nullptr;
  Close* close_type_ = nullptr;
  Close* close_list_ = nullptr;
  std::size_t (*type_bytes_)(Hdf5Id) = nullptr;
  int (*dimensions_)(Hdf5Id) = nullptr;
  long long (*elements_)(Hdf5Id) = nullptr;
  int (*selection_kind_)(Hdf5Id) = nullptr;
  long long (*selected_)(Hdf5Id) = nullptr;
  int (*is_regular_)(Hdf5Id) = nullptr;
  int (*hyperslab_)(Hdf5Id, Hdf5Size*, Hdf5Size*, Hdf5Size*, Hdf5Size*) = nullptr;
  int (*layout_)(Hdf5Id) = nullptr;
  int (*chunk_)(Hdf5Id, int, Hdf5Size*) = nullptr;
  int (*errors_are_new_)(Hdf5Id, unsigned*) = nullptr;
  int (*get_report_)(Hdf5Id, void**, void**) = nullptr;
  int (*set_report_)(Hdf5Id, void*, void*) = nullptr;
  Hdf5Id (*driver_)(Hdf5Id) = nullptr;
  // Only in libraries that were built with MPI.
  int (*transfer_mode_)(Hdf5Id, int*) = nullptr;
  Hdf5Id (*mpi_driver_)() = nullptr;
  const Hdf5Id* mpi_driver_id_ = nullptr;
};

extern constinit Hdf5Library hdf5;

}  // namespace trikal::capture
