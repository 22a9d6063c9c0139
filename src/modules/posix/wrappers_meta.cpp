// Positions, duplicates, syncing and stat: what POSIX records count besides data.

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "modules/posix/wrappers_notes.hpp"

namespace {

using namespace trikal::capture;         // NOLINT: a file of wrappers
using namespace trikal::modules::posix;  // NOLINT

// Runs `note(when, held, result)` after calls on a watched descriptor.
template <class Wrapper, class Note, class... A>
TRIKAL_INTO_WRAPPER auto on_watched(int fd, const Note& note, A... args) noexcept {
  const Held held = session.descriptors.hold(fd);
  if (!held) return Wrapper::real()(args...);
  return Wrapper::call_running([&note, &held](Span when, auto result, A...) noexcept { note(when, held, result); },
                               args...);
}

template <trikal::FixedString Name, class Offset>
TRIKAL_INTO_WRAPPER Offset seek(int fd, Offset offset, int whence) noexcept {
  const auto note = [](Span when, const Held& held, Offset at) noexcept { note_seek(when, held, at); };
  return on_watched<Interposed<Name, Offset(int, Offset, int)>>(fd, note, fd, offset, whence);
}

template <class Wrapper, class... A>
TRIKAL_INTO_WRAPPER int duplicate(int fd, A... args) noexcept {
  const auto note = [fd](Span when, const Held& held, int result) noexcept { note_duplicate(when, held, fd, result); };
  return on_watched<Wrapper>(fd, note, args...);
}

template <class Wrapper, class... A>
TRIKAL_INTO_WRAPPER int duplicate_onto(int fd, int onto, A... args) noexcept {
  const Held held = session.descriptors.hold(fd);
  if (!held && !session.descriptors.hold(onto)) return Wrapper::real()(args...);
  return Wrapper::call_running(
      [fd, &held](Span when, int result, A...) noexcept { note_duplicate(when, held, fd, result); }, args...);
}

// What the program may change about a descriptor later on.
void note_flags(const Held& held, int result, void* flags) noexcept {
  if (result < 0 || !held.is_current()) return;
  held.open->append.store((reinterpret_cast<std::intptr_t>(flags) & O_APPEND) != 0 ? 1 : 0, std::memory_order_relaxed);
}

template <trikal::FixedString Name>
TRIKAL_INTO_WRAPPER int control(int fd, int command, void* argument) noexcept {
  using Wrapper = Interposed<Name, int(int, int, void*)>;
  switch (command) {
    case F_DUPFD:
    case F_DUPFD_CLOEXEC: return duplicate<Wrapper>(fd, fd, command, argument);
    case F_SETFL:
      return on_watched<Wrapper>(
          fd, [argument](Span, const Held& held, int result) noexcept { note_flags(held, result, argument); }, fd,
          command, argument);
    case F_SETLK:
    case F_SETLKW:
    case F_OFD_SETLK:
    case F_OFD_SETLKW: return on_descriptor<Wrapper, extra("POSIX_LOCKS")>(fd, fd, command, argument);
    default: return Wrapper::real()(fd, command, argument);
  }
}

template <trikal::FixedString Name, bool DataOnly>
TRIKAL_INTO_WRAPPER int sync(int fd) noexcept {
  const auto note = [](Span when, const Held& held, int result) noexcept { note_sync(when, held, result, DataOnly); };
  return on_watched<Interposed<Name, int(int)>>(fd, note, fd);
}

template <class Status>
mode_t mode_of(int result, const Status* status) noexcept {
  return result == 0 ? status->st_mode : 0;
}

template <trikal::FixedString Name, class Status>
TRIKAL_INTO_WRAPPER int stat_path(const char* path, Status* status) noexcept {
  return Interposed<Name, int(const char*, Status*)>::call(
      [](Span when, int result, const char* p, Status* s) noexcept {
        note_stat(when, result, AT_FDCWD, p, mode_of(result, s));
      },
      path, status);
}
template <trikal::FixedString Name, class Status>
TRIKAL_INTO_WRAPPER int stat_path_versioned(int version, const char* path, Status* status) noexcept {
  return Interposed<Name, int(int, const char*, Status*)>::call(
      [](Span when, int result, int, const char* p, Status* s) noexcept {
        note_stat(when, result, AT_FDCWD, p, mode_of(result, s));
      },
      version, path, status);
}
template <trikal::FixedString Name, class Status>
TRIKAL_INTO_WRAPPER int stat_at(int directory, const char* path, Status* status, int flags) noexcept {
  return Interposed<Name, int(int, const char*, Status*, int)>::call(
      [](Span when, int result, int d, const char* p, Status* s, int) noexcept {
        note_stat(when, result, d, p, mode_of(result, s));
      },
      directory, path, status, flags);
}
template <trikal::FixedString Name, class Status>
TRIKAL_INTO_WRAPPER int stat_at_versioned(int version, int directory, const char* path, Status* status,
                                          int flags) noexcept {
  return Interposed<Name, int(int, int, const char*, Status*, int)>::call(
      [](Span when, int result, int, int d, const char* p, Status* s, int) noexcept {
        note_stat(when, result, d, p, mode_of(result, s));
      },
      version, directory, path, status, flags);
}
template <class Wrapper, class Status, class... A>
TRIKAL_INTO_WRAPPER int stat_descriptor(int fd, Status* status, A... args) noexcept {
  const auto note = [status](Span when, const Held& held, int result) noexcept {
    note_descriptor_stat(when, result, held, mode_of(result, status));
  };
  return on_watched<Wrapper>(fd, note, args...);
}

// No open: the descriptor is known since its stream was opened.
template <trikal::FixedString Name>
int descriptor_of(FILE* stream) noexcept {
  const int fd = Interposed<Name, int(FILE*)>::real()(stream);
  const Held held = fd < 0 || is_inside() ? Held{} : session.descriptors.hold(fd);
  if (!held) return fd;
  const Inside inside;
  if (PosixFile* file = record_of(held)) descriptor_asked(*file);
  return fd;
}

}  // namespace

TRIKAL_WRAPPER int fileno(FILE* stream) noexcept { return descriptor_of<"fileno">(stream); }
TRIKAL_WRAPPER int fileno_unlocked(FILE* stream) noexcept { return descriptor_of<"fileno_unlocked">(stream); }

TRIKAL_WRAPPER off_t lseek(int fd, off_t offset, int whence) noexcept { return seek<"lseek">(fd, offset, whence); }
TRIKAL_WRAPPER off64_t lseek64(int fd, off64_t offset, int whence) noexcept {
  return seek<"lseek64">(fd, offset, whence);
}

TRIKAL_WRAPPER int dup(int fd) noexcept { return duplicate<Interposed<"dup", int(int)>>(fd, fd); }
TRIKAL_WRAPPER int dup2(int fd, int onto) noexcept {
  return duplicate_onto<Interposed<"dup2", int(int, int)>>(fd, onto, fd, onto);
}
TRIKAL_WRAPPER int dup3(int fd, int onto, int flags) noexcept {
  return duplicate_onto<Interposed<"dup3", int(int, int, int)>>(fd, onto, fd, onto, flags);
}
TRIKAL_WRAPPER int fcntl(int fd, int command, ...) {
  va_list arguments;
  va_start(arguments, command);
  void* argument = va_arg(arguments, void*);
  va_end(arguments);
  return control<"fcntl">(fd, command, argument);
}
TRIKAL_WRAPPER int fcntl64(int fd, int command, ...) {
  va_list arguments;
  va_start(arguments, command);
  void* argument = va_arg(arguments, void*);
  va_end(arguments);
  return control<"fcntl64">(fd, command, argument);
}

TRIKAL_WRAPPER int fsync(int fd) { return sync<"fsync", false>(fd); }
TRIKAL_WRAPPER int fdatasync(int fd) { return sync<"fdatasync", true>(fd); }

TRIKAL_WRAPPER int stat(const char* path, struct stat* status) noexcept { return stat_path<"stat">(path, status); }
TRIKAL_WRAPPER int stat64(const char* path, struct stat64* status) noexcept {
  return stat_path<"stat64">(path, status);
}
TRIKAL_WRAPPER int lstat(const char* path, struct stat* status) noexcept { return stat_path<"lstat">(path, status); }
TRIKAL_WRAPPER int lstat64(const char* path, struct stat64* status) noexcept {
  return stat_path<"lstat64">(path, status);
}
TRIKAL_WRAPPER int fstat(int fd, struct stat* status) noexcept {
  return stat_descriptor<Interposed<"fstat", int(int, struct stat*)>>(fd, status, fd, status);
}
TRIKAL_WRAPPER int fstat64(int fd, struct stat64* status) noexcept {
  return stat_descriptor<Interposed<"fstat64", int(int, struct stat64*)>>(fd, status, fd, status);
}
TRIKAL_WRAPPER int fstatat(int d, const char* path, struct stat* status, int flags) noexcept {
  return stat_at<"fstatat">(d, path, status, flags);
}
TRIKAL_WRAPPER int fstatat64(int d, const char* path, struct stat64* status, int flags) noexcept {
  return stat_at<"fstatat64">(d, path, status, flags);
}
TRIKAL_WRAPPER int __xstat(int version, const char* path, struct stat* status) noexcept {
  return stat_path_versioned<"__xstat">(version, path, status);
}
TRIKAL_WRAPPER int __xstat64(int version, const char* path, struct stat64* status) noexcept {
  return stat_path_versioned<"__xstat64">(version, path, status);
}
TRIKAL_WRAPPER int __lxstat(int version, const char* path, struct stat* status) noexcept {
  return stat_path_versioned<"__lxstat">(version, path, status);
}
TRIKAL_WRAPPER int __lxstat64(int version, const char* path, struct stat64* status) noexcept {
  return stat_path_versioned<"__lxstat64">(version, path, status);
}
TRIKAL_WRAPPER int __fxstat(int version, int fd, struct stat* status) noexcept {
  return stat_descriptor<Interposed<"__fxstat", int(int, int, struct stat*)>>(fd, status, version, fd, status);
}
TRIKAL_WRAPPER int __fxstat64(int version, int fd, struct stat64* status) noexcept {
  return stat_descriptor<Interposed<"__fxstat64", int(int, int, struct stat64*)>>(fd, status, version, fd, status);
}
TRIKAL_WRAPPER int __fxstatat(int version, int d, const char* path, struct stat* status, int flags) noexcept {
  return stat_at_versioned<"__fxstatat">(version, d, path, status, flags);
}
TRIKAL_WRAPPER int __fxstatat64(int version, int d, const char* path, struct stat64* status, int flags) noexcept {
  return stat_at_versioned<"__fxstatat64">(version, d, path, status, flags);
}
