// Directories, entry by entry. A directory's descriptor is watched while it is open, so that names relative to it
// are resolved without asking the kernel.

#include <dirent.h>

#include "modules/posix/wrappers_notes.hpp"

namespace {

using namespace trikal::capture;         // NOLINT: a file of wrappers
using namespace trikal::modules::posix;  // NOLINT

int descriptor_of(DIR* directory) noexcept {
  return directory == nullptr ? -1 : Interposed<"dirfd", int(DIR*)>::real()(directory);
}

void note_opendir(Span when, DIR* directory, const char* path) noexcept {
  if (directory == nullptr) return failed_at(AT_FDCWD, path);
  const int fd = descriptor_of(directory);
  File* file = session.file_at(AT_FDCWD, path);
  if (file == nullptr) return session.descriptors.clear(fd);
  session.descriptors.open(fd, {}, nullptr, file);
  add_extra<"POSIX_OPENDIRS">(file);
  add_extra_time(file, when);
}

template <class Wrapper, class... A>
TRIKAL_INTO_WRAPPER auto read_entry(DIR* directory, A... args) noexcept {
  const Held held = session.descriptors.hold(descriptor_of(directory));
  if (!held) return Wrapper::real()(args...);
  return Wrapper::call_running(
      [held](Span when, auto entry, A...) noexcept {
        if (entry) note_on_descriptor(when, 0, held, extra("POSIX_READDIRS"));  // null: the end
      },
      args...);
}
// These answer 0 and a null entry at the end.
template <class Wrapper, class Entry>
TRIKAL_INTO_WRAPPER int read_entry_into(DIR* directory, Entry* entry, Entry** result) noexcept {
  const Held held = session.descriptors.hold(descriptor_of(directory));
  if (!held) return Wrapper::real()(directory, entry, result);
  return Wrapper::call_running(
      [held](Span when, int error, DIR*, Entry*, Entry** got) noexcept {
        if (error == 0 && *got != nullptr) note_on_descriptor(when, 0, held, extra("POSIX_READDIRS"));
      },
      directory, entry, result);
}

}  // namespace

TRIKAL_WRAPPER DIR* opendir(const char* path) {
  return Interposed<"opendir", DIR*(const char*)>::call(
      [](Span when, DIR* directory, const char* p) noexcept { note_opendir(when, directory, p); }, path);
}
TRIKAL_WRAPPER DIR* fdopendir(int fd) {
  using Wrapper = Interposed<"fdopendir", DIR*(int)>;
  const Held held = session.descriptors.hold(fd);
  if (!held) return Wrapper::real()(fd);
  return Wrapper::call_running(
      [held](Span when, const DIR* directory, int) noexcept {
        note_on_descriptor(when, directory != nullptr ? 0 : -1, held, extra("POSIX_OPENDIRS"));
      },
      fd);
}
TRIKAL_WRAPPER dirent* readdir(DIR* directory) {
  return read_entry<Interposed<"readdir", dirent*(DIR*)>>(directory, directory);
}
TRIKAL_WRAPPER dirent64* readdir64(DIR* directory) {
  return read_entry<Interposed<"readdir64", dirent64*(DIR*)>>(directory, directory);
}
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
TRIKAL_WRAPPER int readdir_r(DIR* directory, dirent* entry, dirent** result) {
  return read_entry_into<Interposed<"readdir_r", int(DIR*, dirent*, dirent**)>>(directory, entry, result);
}
TRIKAL_WRAPPER int readdir64_r(DIR* directory, dirent64* entry, dirent64** result) {
  return read_entry_into<Interposed<"readdir64_r", int(DIR*, dirent64*, dirent64**)>>(directory, entry, result);
}
#pragma GCC diagnostic pop
TRIKAL_WRAPPER ssize_t getdents64(int fd, void* into, size_t bytes) noexcept {
  return on_descriptor<Interposed<"getdents64", ssize_t(int, void*, size_t)>, extra("POSIX_READDIRS")>(fd, fd, into,
                                                                                                       bytes);
}
TRIKAL_WRAPPER int closedir(DIR* directory) {
  using Wrapper = Interposed<"closedir", int(DIR*)>;
  return close_descriptor<Wrapper>(descriptor_of(directory), directory);
}
