#include "modules/h5f/wrappers.hpp"

#include "capture/hdf5/call.hpp"
#include "modules/h5f/capture.hpp"

namespace trikal::modules::h5f {
namespace {

using namespace capture;  // NOLINT: a file of wrappers

void note_open(Span when, Hdf5Id file, const char* path, Hdf5Id access) noexcept {
  const bool parallel = hdf5.is_parallel(access);
  File* watched = file_at(path, parallel);
  keep(file, watched);
  if (Hdf5File* record = record_of(watched)) opened(*record, when, parallel);
}

template <FixedString Name>
struct CreateWrapper {
  using Call = Hdf5Call<Name, Hdf5Id(const char*, unsigned, Hdf5Id, Hdf5Id)>;
  static Hdf5Id wrapper(const char* path, unsigned flags, Hdf5Id creation, Hdf5Id access) noexcept {
    return Call::call([](Span when, Hdf5Id file, const char* p, unsigned, Hdf5Id,
                         Hdf5Id list) noexcept { note_open(when, file, p, list); },
                      path, flags, creation, access);
  }
};

template <FixedString Name>
struct OpenWrapper {
  using Call = Hdf5Call<Name, Hdf5Id(const char*, unsigned, Hdf5Id)>;
  static Hdf5Id wrapper(const char* path, unsigned flags, Hdf5Id access) noexcept {
    return Call::call(
        [](Span when, Hdf5Id file, const char* p, unsigned, Hdf5Id list) noexcept { note_open(when, file, p, list); },
        path, flags, access);
  }
};

// Of any object: its file is flushed.
template <FixedString Name>
struct FlushWrapper {
  using Call = Hdf5Call<Name, int(Hdf5Id, int)>;
  static int wrapper(Hdf5Id object, int scope) noexcept {
    return Call::call_asking([](Hdf5Id o, int) noexcept { return record_of(file_of(o)); },
                             [](Hdf5File* record, Span when, int, Hdf5Id, int) noexcept {
                               if (record != nullptr) flushed(*record, when);
                             },
                             object, scope);
  }
};

template <FixedString Name>
struct CloseWrapper {
  using Call = Hdf5Call<Name, int(Hdf5Id)>;
  static int wrapper(Hdf5Id file) noexcept {
    return Call::call(
        [](Span when, int, Hdf5Id f) noexcept {
          if (Hdf5File* record = record_of(take(f))) closed(*record, when);
        },
        file);
  }
};

constexpr ImportGroup kWrappers =
    tell_imports<import_of<CreateWrapper, "H5Fcreate">, import_of<OpenWrapper, "H5Fopen">,
                 import_of<FlushWrapper, "H5Fflush">, import_of<CloseWrapper, "H5Fclose">>;

}  // namespace

void wrappers(const ImportUse& use) noexcept { kWrappers(use); }

bool find_hdf5() noexcept {
  if (hdf5.look()) return true;
  session.say("HDF5 is not observed", "this library is older than 1.10");
  return false;
}

}  // namespace trikal::modules::h5f
