// How a program comes by the number of a variable.

#include "modules/pnetcdf_var/wrappers.hpp"

#include "modules/pnetcdf_file/capture.hpp"
#include "modules/pnetcdf_file/capture_library.hpp"
#include "modules/pnetcdf_var/capture.hpp"

namespace trikal::modules::pnetcdf_var {
namespace {

using namespace capture;  // NOLINT: a file of wrappers
using pnetcdf_file::pnetcdf;
using pnetcdf_file::PnetcdfCall;

void note_open(Span when, int file, const char* name, int variable, bool defined) noexcept {
  const File* whole = pnetcdf_file::file_of(file);
  if (whole == nullptr || name == nullptr) return;
  const Known known{record_of(*whole, name), pnetcdf.shape_of(file, variable)};
  variables.set(handle_of(file, variable), known);
  if (known.variable != nullptr) opened(*known.variable, when, known.shape, defined);
}

template <FixedString Name>
struct DefineWrapper {
  using Call = PnetcdfCall<Name, int(int, const char*, int, int, const int*, int*)>;
  static int wrapper(int file, const char* name, int type, int count, const int* dimensions, int* variable) noexcept {
    return Call::call([](Span when, int, int f, const char* n, int, int, const int*,
                         int* v) noexcept { note_open(when, f, n, *v, true); },
                      file, name, type, count, dimensions, variable);
  }
};

template <FixedString Name>
struct LookUpWrapper {
  using Call = PnetcdfCall<Name, int(int, const char*, int*)>;
  static int wrapper(int file, const char* name, int* variable) noexcept {
    return Call::call(
        [](Span when, int, int f, const char* n, int* v) noexcept {
          if (v != nullptr) note_open(when, f, n, *v, false);
        },
        file, name, variable);
  }
};

constexpr ImportGroup kWrappers =
    tell_imports<import_of<DefineWrapper, "ncmpi_def_var">, import_of<LookUpWrapper, "ncmpi_inq_varid">>;

}  // namespace

void wrappers(const ImportUse& use) noexcept { kWrappers(use); }

}  // namespace trikal::modules::pnetcdf_var
