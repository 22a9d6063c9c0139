#include "modules/h5f/doors.hpp"

#include "capture/hdf5/call.hpp"
#include "modules/h5f/capture.hpp"

namespace trikal::modules::h5f {
namespace {

using namespace capture;  // NOLINT: a file of doors

void note_open(Span when, Hdf5Id file, const char* path, Hdf5Id access) noexcept {
  File* watched = file_at(path);
  keep(file, watched);
  if (Hdf5File* record = record_of(watched)) opened(*record, when, hdf5.is_parallel(access));
}

template <FixedString Name>
struct CreateDoor {
  using Call = Hdf5Call<Name, Hdf5Id(const char*, unsigned, Hdf5Id, Hdf5Id)>;
  static Hdf5Id door(const char* path, unsigned flags, Hdf5Id creation, Hdf5Id access) noexcept {
    return Call::call([](Span when, Hdf5Id file, const char* p, unsigned, Hdf5Id,
                         Hdf5Id list) noexcept { note_open(when, file, p, list); },
                      path, flags, creation, access);
  }
};

template <FixedString Name>
struct OpenDoor {
  using Call = Hdf5Call<Name, Hdf5Id(const char*, unsigned, Hdf5Id)>;
  static Hdf5Id door(const char* path, unsigned flags, Hdf5Id access) noexcept {
    return Call::call(
        [](Span when, Hdf5Id file, const char* p, unsigned, Hdf5Id list) noexcept { note_open(when, file, p, list); },
        path, flags, access);
  }
};

// Of any object: its file is flushed.
template <FixedString Name>
struct FlushDoor {
  using Call = Hdf5Call<Name, int(Hdf5Id, int)>;
  static int door(Hdf5Id object, int scope) noexcept {
    return Call::call(
        [](Span when, int, Hdf5Id o, int) noexcept {
          if (Hdf5File* record = record_of(file_of(o))) flushed(*record, when);
        },
        object, scope);
  }
};

template <FixedString Name>
struct CloseDoor {
  using Call = Hdf5Call<Name, int(Hdf5Id)>;
  static int door(Hdf5Id file) noexcept {
    return Call::call(
        [](Span when, int, Hdf5Id f) noexcept {
          if (Hdf5File* record = record_of(take(f))) closed(*record, when);
        },
        file);
  }
};

constexpr ImportPair kDoors[] = {
    import_of<CreateDoor, "H5Fcreate">(),
    import_of<OpenDoor, "H5Fopen">(),
    import_of<FlushDoor, "H5Fflush">(),
    import_of<CloseDoor, "H5Fclose">(),
};

}  // namespace

std::span<const ImportPair> doors() noexcept { return kDoors; }

bool find_hdf5() noexcept {
  if (hdf5.look()) return true;
  session.say("HDF5 is not observed", "this library is older than 1.10");
  return false;
}

}  // namespace trikal::modules::h5f
