#include "capture/records/code_owner.hpp"

#include <algorithm>

#include "base/short_text.hpp"

namespace trikal::capture {
namespace {

// What systems install, and what pip installs; a program is seldom a library of these folders.
constexpr ShortText<15> kStarts[] = {"/lib/", "/lib64/", "/usr/lib/", "/usr/lib64/", "/usr/local/lib/", "linux-vdso"};
constexpr ShortText<15> kFolders[] = {"/site-packages/", "/dist-packages/", "/lib-dynload/"};
// The same libraries where modules, Spack or Conda have put them.
constexpr ShortText<11> kNames[] = {
    "libtrikal", "libc.",       "libc-",      "libm.",      "libdl",      "libpthread", "ld-",      "libstdc++",
    "libc++",    "libgfortran", "libflang",   "libFortran", "libifcore",  "libifport",  "libimf",   "libintlc",
    "libsvml",   "libnvf",      "libnvc",     "libpgf",     "libgcc_s",   "libgomp",    "libomp",   "libiomp",
    "libmpi",    "libmpich",    "libopen-",   "libfabric",  "libucp",     "libuct",     "libucs",   "mca_",
    "libhdf5",   "libnetcdf",   "libpnetcdf", "libadios",   "libsqlite3", "libz.",      "libbz2",   "liblzma",
    "libzstd",   "libR.",       "libjulia",   "libperl",    "libtcl",     "liblua",     "libarrow", "libparquet",
    "libcudart", "libtorch"};

}  // namespace

CodeOwner owner_of(std::string_view path, bool has_python) noexcept {
  if (has_python) return CodeOwner::kInterpreter;
  if (path.empty()) return CodeOwner::kProgram;
  std::string_view name = path;  // substr throws, and would need the C++ library
  name.remove_prefix(path.rfind('/') + 1);
  const bool is_library =
      std::ranges::any_of(kStarts, [&](std::string_view start) { return path.starts_with(start); }) ||
      std::ranges::any_of(kFolders, [&](std::string_view folder) { return path.find(folder) != path.npos; }) ||
      std::ranges::any_of(kNames, [&](std::string_view start) { return name.starts_with(start); });
  return is_library ? CodeOwner::kLibrary : CodeOwner::kProgram;
}

}  // namespace trikal::capture
