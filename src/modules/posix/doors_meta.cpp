// Everything about descriptors and paths that moves no data.

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/interpose/interposed.hpp"
#include "modules/posix/capture.hpp"

namespace {

using namespace trikal::capture;         // NOLINT: a file of doors
using namespace trikal::modules::posix;  // NOLINT

// Runs `note(record, when, result)` for calls on a watched descriptor that succeeded.
template <class Door, class Note, class... A>
auto on_descriptor(int fd, const Note& note, A... args) noexcept {
  Descriptor* found = session.descriptors.find(fd);
  if (found == nullptr) return Door::real()(args...);
  return Door::call_running(
      [found, &note](Span when, auto result, A...) noexcept {
        if (result < 0) return;
        if (PosixFile* file = record_of(*found)) note(*found, *file, when, result);
      },
      args...);
}

template <trikal::FixedString Name, class Offset>
Offset seek(int fd, Offset offset, int whence) noexcept {
  const auto note = [](Descriptor& descriptor, PosixFile& file, Span when, Offset at) noexcept {
    descriptor.open->offset.store(at, std::memory_order_relaxed);
    sought(file, when);
  };
  return on_descriptor<Interposed<Name, Offset(int, Offset, int)>>(fd, note, fd, offset, whence);
}

// A duplicate shares position and flags with the original.
void share(Descriptor& descriptor, PosixFile& file, Span when, int duplicate) noexcept {
  session.descriptors.set(duplicate, descriptor.open, &file, descriptor.file);
  duplicated(file, when);
}

template <class Door, class... A>
int duplicate_onto(int fd, int onto, A... args) noexcept {
  Descriptor* found = session.descriptors.find(fd);
  if (found == nullptr) {
    const int result = Door::real()(args...);
    // The target's old file is gone, and what is there now is not watched.
    if (result >= 0 && inside_depth == 0 && session.descriptors.find(onto) != nullptr) {
      const Inside inside;
      session.descriptors.clear(onto);
    }
    return result;
  }
  const auto note = [fd](Descriptor& descriptor, PosixFile& file, Span when, int result) noexcept {
    if (result != fd) share(descriptor, file, when, result);
    else duplicated(file, when);  // onto itself: nothing changes, but it was asked for
  };
  return on_descriptor<Door>(fd, note, args...);
}

template <trikal::FixedString Name>
int control(int fd, int command, void* argument) noexcept {
  using Door = Interposed<Name, int(int, int, void*)>;
  if (command != F_DUPFD && command != F_DUPFD_CLOEXEC) return Door::real()(fd, command, argument);
  return on_descriptor<Door>(fd, share, fd, command, argument);
}

template <trikal::FixedString Name, bool DataOnly>
int sync(int fd) noexcept {
  const auto note = [](Descriptor&, PosixFile& file, Span when, int) noexcept { synced(file, when, DataOnly); };
  return on_descriptor<Interposed<Name, int(int)>>(fd, note, fd);
}

template <trikal::FixedString Name, class Offset>
void* map(void* at, size_t length, int protection, int flags, int fd, Offset offset) noexcept {
  using Door = Interposed<Name, void*(void*, size_t, int, int, int, Offset)>;
  void* result = Door::real()(at, length, protection, flags, fd, offset);
  if (result == MAP_FAILED || (flags & MAP_ANONYMOUS) != 0 || inside_depth != 0) return result;
  Descriptor* found = session.descriptors.find(fd);
  if (found == nullptr) return result;
  const Inside inside;
  if (PosixFile* file = record_of(*found)) mapped(*file);
  return result;
}

// stat and its kin by path. Only regular files count, as they do in every Darshan log.
template <class Status>
void note_stat(Span when, int result, int directory, const char* path, const Status* status) noexcept {
  if (result != 0 || !S_ISREG(status->st_mode)) return;
  if (PosixFile* file = record_of(session.file_at(directory, path))) stated(*file, when);
}

template <trikal::FixedString Name, class Status>
int stat_path(const char* path, Status* status) noexcept {
  return Interposed<Name, int(const char*, Status*)>::call(
      [](Span when, int result, const char* p, Status* s) noexcept { note_stat(when, result, AT_FDCWD, p, s); }, path,
      status);
}
template <trikal::FixedString Name, class Status>
int stat_path_versioned(int version, const char* path, Status* status) noexcept {
  return Interposed<Name, int(int, const char*, Status*)>::call(
      [](Span when, int result, int, const char* p, Status* s) noexcept { note_stat(when, result, AT_FDCWD, p, s); },
      version, path, status);
}
template <class Status>
void note_fstat(Descriptor&, PosixFile& file, Span when, int) noexcept {
  stated(file, when);
}
template <trikal::FixedString Name, class Status>
int stat_at(int directory, const char* path, Status* status, int flags) noexcept {
  return Interposed<Name, int(int, const char*, Status*, int)>::call(
      [](Span when, int result, int d, const char* p, Status* s, int) noexcept {
        if (p != nullptr && p[0] != '\0') return note_stat(when, result, d, p, s);
        Descriptor* found = session.descriptors.find(d);  // AT_EMPTY_PATH: the descriptor itself
        if (result == 0 && found != nullptr) {
          if (PosixFile* file = record_of(*found)) stated(*file, when);
        }
      },
      directory, path, status, flags);
}

// No open: the descriptor is known since its stream was opened.
template <trikal::FixedString Name>
int descriptor_of(FILE* stream) noexcept {
  const int fd = Interposed<Name, int(FILE*)>::real()(stream);
  Descriptor* found = fd < 0 || inside_depth != 0 ? nullptr : session.descriptors.find(fd);
  if (found == nullptr) return fd;
  const Inside inside;
  if (PosixFile* file = record_of(*found)) descriptor_asked(*file);
  return fd;
}

}  // namespace

TRIKAL_DOOR int fileno(FILE* stream) noexcept { return descriptor_of<"fileno">(stream); }
TRIKAL_DOOR int fileno_unlocked(FILE* stream) noexcept { return descriptor_of<"fileno_unlocked">(stream); }

TRIKAL_DOOR off_t lseek(int fd, off_t offset, int whence) noexcept { return seek<"lseek">(fd, offset, whence); }
TRIKAL_DOOR off64_t lseek64(int fd, off64_t offset, int whence) noexcept { return seek<"lseek64">(fd, offset, whence); }

TRIKAL_DOOR int dup(int fd) noexcept { return on_descriptor<Interposed<"dup", int(int)>>(fd, share, fd); }
TRIKAL_DOOR int dup2(int fd, int onto) noexcept {
  return duplicate_onto<Interposed<"dup2", int(int, int)>>(fd, onto, fd, onto);
}
TRIKAL_DOOR int dup3(int fd, int onto, int flags) noexcept {
  return duplicate_onto<Interposed<"dup3", int(int, int, int)>>(fd, onto, fd, onto, flags);
}
TRIKAL_DOOR int fcntl(int fd, int command, ...) {
  va_list arguments;
  va_start(arguments, command);
  void* argument = va_arg(arguments, void*);
  va_end(arguments);
  return control<"fcntl">(fd, command, argument);
}
TRIKAL_DOOR int fcntl64(int fd, int command, ...) {
  va_list arguments;
  va_start(arguments, command);
  void* argument = va_arg(arguments, void*);
  va_end(arguments);
  return control<"fcntl64">(fd, command, argument);
}

TRIKAL_DOOR int fsync(int fd) { return sync<"fsync", false>(fd); }
TRIKAL_DOOR int fdatasync(int fd) { return sync<"fdatasync", true>(fd); }

TRIKAL_DOOR void* mmap(void* at, size_t n, int protection, int flags, int fd, off_t offset) noexcept {
  return map<"mmap">(at, n, protection, flags, fd, offset);
}
TRIKAL_DOOR void* mmap64(void* at, size_t n, int protection, int flags, int fd, off64_t offset) noexcept {
  return map<"mmap64">(at, n, protection, flags, fd, offset);
}

TRIKAL_DOOR int stat(const char* path, struct stat* status) noexcept { return stat_path<"stat">(path, status); }
TRIKAL_DOOR int stat64(const char* path, struct stat64* status) noexcept { return stat_path<"stat64">(path, status); }
TRIKAL_DOOR int lstat(const char* path, struct stat* status) noexcept { return stat_path<"lstat">(path, status); }
TRIKAL_DOOR int lstat64(const char* path, struct stat64* status) noexcept { return stat_path<"lstat64">(path, status); }
TRIKAL_DOOR int fstat(int fd, struct stat* status) noexcept {
  return on_descriptor<Interposed<"fstat", int(int, struct stat*)>>(fd, note_fstat<struct stat>, fd, status);
}
TRIKAL_DOOR int fstat64(int fd, struct stat64* status) noexcept {
  return on_descriptor<Interposed<"fstat64", int(int, struct stat64*)>>(fd, note_fstat<struct stat64>, fd, status);
}
TRIKAL_DOOR int fstatat(int d, const char* path, struct stat* status, int flags) noexcept {
  return stat_at<"fstatat">(d, path, status, flags);
}
TRIKAL_DOOR int fstatat64(int d, const char* path, struct stat64* status, int flags) noexcept {
  return stat_at<"fstatat64">(d, path, status, flags);
}
TRIKAL_DOOR int __xstat(int version, const char* path, struct stat* status) noexcept {
  return stat_path_versioned<"__xstat">(version, path, status);
}
TRIKAL_DOOR int __xstat64(int version, const char* path, struct stat64* status) noexcept {
  return stat_path_versioned<"__xstat64">(version, path, status);
}
TRIKAL_DOOR int __lxstat(int version, const char* path, struct stat* status) noexcept {
  return stat_path_versioned<"__lxstat">(version, path, status);
}
TRIKAL_DOOR int __lxstat64(int version, const char* path, struct stat64* status) noexcept {
  return stat_path_versioned<"__lxstat64">(version, path, status);
}
TRIKAL_DOOR int __fxstat(int version, int fd, struct stat* status) noexcept {
  return on_descriptor<Interposed<"__fxstat", int(int, int, struct stat*)>>(fd, note_fstat<struct stat>, version, fd,
                                                                            status);
}
TRIKAL_DOOR int __fxstat64(int version, int fd, struct stat64* status) noexcept {
  return on_descriptor<Interposed<"__fxstat64", int(int, int, struct stat64*)>>(fd, note_fstat<struct stat64>, version,
                                                                                fd, status);
}
