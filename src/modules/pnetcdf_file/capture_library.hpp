#pragma once
// The Parallel netCDF of this process, known without its header: files and variables are small numbers, and what it says of
// them is asked for through functions that are found by name.

#include <cstddef>
#include <cstdint>

#include "capture/interpose/imported_call.hpp"

namespace trikal::modules::pnetcdf_file {

using Offset = std::int64_t;  // MPI_Offset, of every MPI

// What it calls of its own while a watched call is under way (its Fortran functions call those of C) is part of that.
struct PnetcdfCalls {
  static constexpr bool kNests = true;
  static constexpr bool kKeepsErrno = true;
  static constinit thread_local std::uint32_t depth;
  static constexpr bool is_noted(int result) noexcept { return result == 0; }
};
// Waits are noted, too, if they fail.
struct PnetcdfWaits : PnetcdfCalls {
  static constexpr bool is_noted(int /*result*/) noexcept { return true; }
};

template <FixedString Name, class Signature>
using PnetcdfCall = capture::ImportedCall<PnetcdfCalls, Name, Signature>;

inline constexpr std::size_t kNameBytes = 257;  // NC_MAX_NAME and its end

struct VariableShape {
  std::int64_t dimensions = 0;
  std::int64_t elements = 0;  // the record dimension left out
  std::int64_t element_bytes = 0;  // in the file
  bool has_records = false;  // its first dimension is the unlimited one
};

// Questions need no other rank. Valid for files that are open.
class PnetcdfLibrary {
 public:
  bool look() noexcept;  // false: not all of it is there

  [[nodiscard]] VariableShape shape_of(int file, int variable) const noexcept;
  [[nodiscard]] std::int64_t records_in(int file) const noexcept;
  [[nodiscard]] int variables_in(int file) const noexcept;
  // Its length; 0: it has none that fits.
  [[nodiscard]] std::size_t name_of(int file, int variable, char (&name)[kNameBytes]) const noexcept;
  // Bytes that the library has moved for the file; -1 if it does not say.
  [[nodiscard]] std::int64_t bytes_read(int file) const noexcept;
  [[nodiscard]] std::int64_t bytes_written(int file) const noexcept;

 private:
  int (*variables_)(int, int*) = nullptr;
  int (*name_)(int, int, char*) = nullptr;
  int (*type_)(int, int, int*) = nullptr;
  int (*dimensions_)(int, int, int*) = nullptr;
  int (*dimension_ids_)(int, int, int*) = nullptr;
  int (*length_)(int, int, Offset*) = nullptr;
  int (*unlimited_)(int, int*) = nullptr;
  int (*read_)(int, Offset*) = nullptr;
  int (*written_)(int, Offset*) = nullptr;
};

extern constinit PnetcdfLibrary pnetcdf;

}  // namespace trikal::modules::pnetcdf_file
