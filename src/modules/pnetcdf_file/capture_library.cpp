#include <cstring>

#include "capture/loader/symbols.hpp"
#include "modules/pnetcdf_file/capture_library.hpp"

namespace trikal::modules::pnetcdf_file {

constinit PnetcdfLibrary pnetcdf;
constinit thread_local std::uint32_t PnetcdfCalls::depth = 0;

namespace {

constexpr int kMostDimensions = 64;  // of more, elements are not counted

template <class Function>
bool find(Function*& function, const char* name) noexcept {
  function = reinterpret_cast<Function*>(capture::find_function(name));
  return function != nullptr;
}

// nc_type: NC_BYTE, NC_CHAR, NC_SHORT, NC_INT, NC_FLOAT, NC_DOUBLE, NC_UBYTE, NC_USHORT, NC_UINT, NC_INT64, NC_UINT64.
std::int64_t bytes_of_type(int type) noexcept {
  constexpr std::uint8_t kBytes[] = {0, 1, 1, 2, 4, 4, 8, 1, 2, 4, 8, 8};
  return type > 0 && type < static_cast<int>(sizeof kBytes) ? kBytes[type] : 0;
}

std::int64_t asked(int (*question)(int, Offset*), int file) noexcept {
  Offset answer = 0;
  return question(file, &answer) == 0 ? answer : -1;
}

}  // namespace

bool PnetcdfLibrary::look() noexcept {
  return find(variables_, "ncmpi_inq_nvars") && find(name_, "ncmpi_inq_varname") && find(type_, "ncmpi_inq_vartype") &&
         find(dimensions_, "ncmpi_inq_varndims") && find(dimension_ids_, "ncmpi_inq_vardimid") &&
         find(length_, "ncmpi_inq_dimlen") && find(unlimited_, "ncmpi_inq_unlimdim") &&
         find(read_, "ncmpi_inq_get_size") && find(written_, "ncmpi_inq_put_size");
}

VariableShape PnetcdfLibrary::shape_of(int file, int variable) const noexcept {
  VariableShape shape;
  int type = 0, count = 0, unlimited = -1, dimensions[kMostDimensions];
  if (type_(file, variable, &type) == 0) shape.element_bytes = bytes_of_type(type);
  if (dimensions_(file, variable, &count) != 0) return shape;
  shape.dimensions = count;
  if (count < 0 || count > kMostDimensions || dimension_ids_(file, variable, dimensions) != 0) return shape;
  if (unlimited_(file, &unlimited) != 0) unlimited = -1;
  shape.has_records = count > 0 && unlimited >= 0 && dimensions[0] == unlimited;
  shape.elements = 1;
  for (int i = shape.has_records ? 1 : 0; i < count; ++i) {
    Offset length = 0;
    if (length_(file, dimensions[i], &length) != 0) return shape.elements = 0, shape;
    shape.elements *= length;
  }
  return shape;
}

std::int64_t PnetcdfLibrary::records_in(int file) const noexcept {
  int unlimited = -1;
  Offset records = 0;
  const bool known = unlimited_(file, &unlimited) == 0 && unlimited >= 0 && length_(file, unlimited, &records) == 0;
  return known ? records : 0;
}

int PnetcdfLibrary::variables_in(int file) const noexcept {
  int count = 0;
  return variables_(file, &count) == 0 ? count : 0;
}

std::size_t PnetcdfLibrary::name_of(int file, int variable, char (&name)[kNameBytes]) const noexcept {
  if (name_(file, variable, name) != 0) return 0;
  return strnlen(name, kNameBytes - 1);
}

std::int64_t PnetcdfLibrary::bytes_read(int file) const noexcept { return asked(read_, file); }
std::int64_t PnetcdfLibrary::bytes_written(int file) const noexcept { return asked(written_, file); }

}  // namespace trikal::modules::pnetcdf_file
