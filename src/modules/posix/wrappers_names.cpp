// Names that are made, changed, removed and asked about.

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>
#include <utime.h>

#include "modules/posix/wrappers_notes.hpp"

namespace {

using namespace trikal::capture;         // NOLINT: a file of wrappers
using namespace trikal::modules::posix;  // NOLINT

using PathCall = int(const char*);
using ModeCall = int(const char*, mode_t);
using PairCall = int(const char*, const char*);

mode_t mode_of(int result, const struct statx* status) noexcept {
  return result == 0 && (status->stx_mask & STATX_TYPE) != 0 ? status->stx_mode : 0;
}

}  // namespace

TRIKAL_WRAPPER int rename(const char* from, const char* to) noexcept {
  return Interposed<"rename", PairCall>::call(
      [](Span when, int result, const char* f, const char* t) noexcept {
        note_rename(when, result, AT_FDCWD, f, AT_FDCWD, t);
      },
      from, to);
}
TRIKAL_WRAPPER int renameat(int from_directory, const char* from, int to_directory, const char* to) noexcept {
  return Interposed<"renameat", int(int, const char*, int, const char*)>::call(
      [](Span when, int result, int fd, const char* f, int td, const char* t) noexcept {
        note_rename(when, result, fd, f, td, t);
      },
      from_directory, from, to_directory, to);
}
TRIKAL_WRAPPER int renameat2(int from_directory, const char* from, int to_directory, const char* to,
                             unsigned flags) noexcept {
  return Interposed<"renameat2", int(int, const char*, int, const char*, unsigned)>::call(
      [](Span when, int result, int fd, const char* f, int td, const char* t, unsigned) noexcept {
        note_rename(when, result, fd, f, td, t);
      },
      from_directory, from, to_directory, to, flags);
}

TRIKAL_WRAPPER int statx(int directory, const char* path, int flags, unsigned mask, struct statx* status) noexcept {
  return Interposed<"statx", int(int, const char*, int, unsigned, struct statx*)>::call(
      [](Span when, int result, int d, const char* p, int, unsigned, struct statx* s) noexcept {
        note_stat(when, result, d, p, mode_of(result, s));
      },
      directory, path, flags, mask, status);
}

TRIKAL_WRAPPER int unlink(const char* path) noexcept {
  return on_path<Interposed<"unlink", PathCall>, extra("POSIX_UNLINKS")>(AT_FDCWD, path, path);
}
TRIKAL_WRAPPER int unlinkat(int directory, const char* path, int flags) noexcept {
  using Wrapper = Interposed<"unlinkat", int(int, const char*, int)>;
  if ((flags & AT_REMOVEDIR) != 0)
    return on_path<Wrapper, extra("POSIX_RMDIRS")>(directory, path, directory, path, flags);
  return on_path<Wrapper, extra("POSIX_UNLINKS")>(directory, path, directory, path, flags);
}
TRIKAL_WRAPPER int remove(const char* path) noexcept {
  return on_path<Interposed<"remove", PathCall>, extra("POSIX_UNLINKS")>(AT_FDCWD, path, path);
}
TRIKAL_WRAPPER int mkdir(const char* path, mode_t mode) noexcept {
  return on_path<Interposed<"mkdir", ModeCall>, extra("POSIX_MKDIRS")>(AT_FDCWD, path, path, mode);
}
TRIKAL_WRAPPER int mkdirat(int directory, const char* path, mode_t mode) noexcept {
  using Wrapper = Interposed<"mkdirat", int(int, const char*, mode_t)>;
  return on_path<Wrapper, extra("POSIX_MKDIRS")>(directory, path, directory, path, mode);
}
// The template is the name by the time it is noted.
TRIKAL_WRAPPER char* mkdtemp(char* path) noexcept {
  return Interposed<"mkdtemp", char*(char*)>::call(
      [](Span when, const char* made, char* p) noexcept {
        note_on_path(when, made != nullptr ? 0 : -1, AT_FDCWD, p, extra("POSIX_MKDIRS"));
      },
      path);
}
TRIKAL_WRAPPER int rmdir(const char* path) noexcept {
  return on_path<Interposed<"rmdir", PathCall>, extra("POSIX_RMDIRS")>(AT_FDCWD, path, path);
}

TRIKAL_WRAPPER int link(const char* from, const char* to) noexcept {
  return Interposed<"link", PairCall>::call(
      [](Span when, int result, const char* f, const char* t) noexcept {
        note_link(when, result, AT_FDCWD, f, AT_FDCWD, t);
      },
      from, to);
}
TRIKAL_WRAPPER int linkat(int from_directory, const char* from, int to_directory, const char* to, int flags) noexcept {
  return Interposed<"linkat", int(int, const char*, int, const char*, int)>::call(
      [](Span when, int result, int fd, const char* f, int td, const char* t, int) noexcept {
        note_link(when, result, fd, f, td, t);
      },
      from_directory, from, to_directory, to, flags);
}
TRIKAL_WRAPPER int symlink(const char* target, const char* path) noexcept {
  return on_path<Interposed<"symlink", PairCall>, extra("POSIX_LINKS")>(AT_FDCWD, path, target, path);
}
TRIKAL_WRAPPER int symlinkat(const char* target, int directory, const char* path) noexcept {
  using Wrapper = Interposed<"symlinkat", int(const char*, int, const char*)>;
  return on_path<Wrapper, extra("POSIX_LINKS")>(directory, path, target, directory, path);
}
TRIKAL_WRAPPER ssize_t readlink(const char* path, char* into, size_t size) noexcept {
  using Wrapper = Interposed<"readlink", ssize_t(const char*, char*, size_t)>;
  return on_path<Wrapper, extra("POSIX_READLINKS")>(AT_FDCWD, path, path, into, size);
}
TRIKAL_WRAPPER ssize_t readlinkat(int directory, const char* path, char* into, size_t size) noexcept {
  using Wrapper = Interposed<"readlinkat", ssize_t(int, const char*, char*, size_t)>;
  return on_path<Wrapper, extra("POSIX_READLINKS")>(directory, path, directory, path, into, size);
}
TRIKAL_WRAPPER ssize_t __readlink_chk(const char* path, char* into, size_t size, size_t capacity) noexcept {
  using Wrapper = Interposed<"__readlink_chk", ssize_t(const char*, char*, size_t, size_t)>;
  return on_path<Wrapper, extra("POSIX_READLINKS")>(AT_FDCWD, path, path, into, size, capacity);
}
TRIKAL_WRAPPER ssize_t __readlinkat_chk(int directory, const char* path, char* into, size_t size,
                                        size_t capacity) noexcept {
  using Wrapper = Interposed<"__readlinkat_chk", ssize_t(int, const char*, char*, size_t, size_t)>;
  return on_path<Wrapper, extra("POSIX_READLINKS")>(directory, path, directory, path, into, size, capacity);
}

TRIKAL_WRAPPER int access(const char* path, int mode) noexcept {
  return on_path<Interposed<"access", int(const char*, int)>, extra("POSIX_ACCESSES")>(AT_FDCWD, path, path, mode);
}
TRIKAL_WRAPPER int faccessat(int directory, const char* path, int mode, int flags) noexcept {
  using Wrapper = Interposed<"faccessat", int(int, const char*, int, int)>;
  return on_path<Wrapper, extra("POSIX_ACCESSES")>(directory, path, directory, path, mode, flags);
}

TRIKAL_WRAPPER int chmod(const char* path, mode_t mode) noexcept {
  return on_path<Interposed<"chmod", ModeCall>, extra("POSIX_ATTRIBUTES")>(AT_FDCWD, path, path, mode);
}
TRIKAL_WRAPPER int fchmod(int fd, mode_t mode) noexcept {
  return on_descriptor<Interposed<"fchmod", int(int, mode_t)>, extra("POSIX_ATTRIBUTES")>(fd, fd, mode);
}
TRIKAL_WRAPPER int fchmodat(int directory, const char* path, mode_t mode, int flags) noexcept {
  using Wrapper = Interposed<"fchmodat", int(int, const char*, mode_t, int)>;
  return on_path<Wrapper, extra("POSIX_ATTRIBUTES")>(directory, path, directory, path, mode, flags);
}
TRIKAL_WRAPPER int chown(const char* path, uid_t user, gid_t group) noexcept {
  using Wrapper = Interposed<"chown", int(const char*, uid_t, gid_t)>;
  return on_path<Wrapper, extra("POSIX_ATTRIBUTES")>(AT_FDCWD, path, path, user, group);
}
TRIKAL_WRAPPER int lchown(const char* path, uid_t user, gid_t group) noexcept {
  using Wrapper = Interposed<"lchown", int(const char*, uid_t, gid_t)>;
  return on_path<Wrapper, extra("POSIX_ATTRIBUTES")>(AT_FDCWD, path, path, user, group);
}
TRIKAL_WRAPPER int fchown(int fd, uid_t user, gid_t group) noexcept {
  return on_descriptor<Interposed<"fchown", int(int, uid_t, gid_t)>, extra("POSIX_ATTRIBUTES")>(fd, fd, user, group);
}
TRIKAL_WRAPPER int fchownat(int directory, const char* path, uid_t user, gid_t group, int flags) noexcept {
  using Wrapper = Interposed<"fchownat", int(int, const char*, uid_t, gid_t, int)>;
  return on_path<Wrapper, extra("POSIX_ATTRIBUTES")>(directory, path, directory, path, user, group, flags);
}
TRIKAL_WRAPPER int utime(const char* path, const utimbuf* times) noexcept {
  using Wrapper = Interposed<"utime", int(const char*, const utimbuf*)>;
  return on_path<Wrapper, extra("POSIX_ATTRIBUTES")>(AT_FDCWD, path, path, times);
}
TRIKAL_WRAPPER int utimes(const char* path, const timeval times[2]) noexcept {
  using Wrapper = Interposed<"utimes", int(const char*, const timeval*)>;
  return on_path<Wrapper, extra("POSIX_ATTRIBUTES")>(AT_FDCWD, path, path, times);
}
TRIKAL_WRAPPER int utimensat(int directory, const char* path, const timespec times[2], int flags) noexcept {
  using Wrapper = Interposed<"utimensat", int(int, const char*, const timespec*, int)>;
  return on_path<Wrapper, extra("POSIX_ATTRIBUTES")>(directory, path, directory, path, times, flags);
}
TRIKAL_WRAPPER int futimens(int fd, const timespec times[2]) noexcept {
  return on_descriptor<Interposed<"futimens", int(int, const timespec*)>, extra("POSIX_ATTRIBUTES")>(fd, fd, times);
}
