// Opening and closing descriptors, under every name the C library has for it.

#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

#include "modules/posix/wrappers_notes.hpp"

namespace {

using namespace trikal::capture;         // NOLINT: a file of wrappers
using namespace trikal::modules::posix;  // NOLINT

bool takes_mode(int flags) noexcept { return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE; }

template <trikal::FixedString Name>
TRIKAL_INTO_WRAPPER int open_with_mode(const char* path, int flags, mode_t mode) noexcept {
  using Wrapper = Interposed<Name, int(const char*, int, mode_t)>;
  return Wrapper::call(
      [](Span when, int fd, const char* p, int f, mode_t m) noexcept { note_open(when, fd, AT_FDCWD, p, f, m); }, path,
      flags, mode);
}
template <trikal::FixedString Name>
TRIKAL_INTO_WRAPPER int openat_with_mode(int directory, const char* path, int flags, mode_t mode) noexcept {
  using Wrapper = Interposed<Name, int(int, const char*, int, mode_t)>;
  return Wrapper::call(
      [](Span when, int fd, int d, const char* p, int f, mode_t m) noexcept { note_open(when, fd, d, p, f, m); },
      directory, path, flags, mode);
}
// The fortified forms, for opens that cannot create.
template <trikal::FixedString Name>
TRIKAL_INTO_WRAPPER int open_plain(const char* path, int flags) noexcept {
  return Interposed<Name, int(const char*, int)>::call(
      [](Span when, int fd, const char* p, int f) noexcept { note_open(when, fd, AT_FDCWD, p, f, 0); }, path, flags);
}
template <trikal::FixedString Name>
TRIKAL_INTO_WRAPPER int openat_plain(int directory, const char* path, int flags) noexcept {
  return Interposed<Name, int(int, const char*, int)>::call(
      [](Span when, int fd, int d, const char* p, int f) noexcept { note_open(when, fd, d, p, f, 0); }, directory, path,
      flags);
}
template <trikal::FixedString Name>
TRIKAL_INTO_WRAPPER int create(const char* path, mode_t mode) noexcept {
  return Interposed<Name, int(const char*, mode_t)>::call(
      [](Span when, int fd, const char* p, mode_t m) noexcept {
        note_open(when, fd, AT_FDCWD, p, O_CREAT | O_WRONLY | O_TRUNC, m);
      },
      path, mode);
}
// mkstemp and its kin write the name they chose into the template.
template <trikal::FixedString Name, class... A>
TRIKAL_INTO_WRAPPER int make_temporary(char* path, A... rest) noexcept {
  return Interposed<Name, int(char*, A...)>::call(
      [](Span when, int fd, char* p, A...) noexcept { note_open(when, fd, AT_FDCWD, p, O_RDWR, 0); }, path, rest...);
}

mode_t mode_argument(int flags, va_list arguments) noexcept {
  return takes_mode(flags) ? va_arg(arguments, mode_t) : 0;
}

}  // namespace

TRIKAL_WRAPPER int open(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_argument(flags, arguments);
  va_end(arguments);
  return open_with_mode<"open">(path, flags, mode);
}
TRIKAL_WRAPPER int open64(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_argument(flags, arguments);
  va_end(arguments);
  return open_with_mode<"open64">(path, flags, mode);
}
TRIKAL_WRAPPER int openat(int directory, const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_argument(flags, arguments);
  va_end(arguments);
  return openat_with_mode<"openat">(directory, path, flags, mode);
}
TRIKAL_WRAPPER int openat64(int directory, const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_argument(flags, arguments);
  va_end(arguments);
  return openat_with_mode<"openat64">(directory, path, flags, mode);
}
TRIKAL_WRAPPER int __open_2(const char* path, int flags) { return open_plain<"__open_2">(path, flags); }
TRIKAL_WRAPPER int __open64_2(const char* path, int flags) { return open_plain<"__open64_2">(path, flags); }
TRIKAL_WRAPPER int __openat_2(int directory, const char* path, int flags) {
  return openat_plain<"__openat_2">(directory, path, flags);
}
TRIKAL_WRAPPER int __openat64_2(int directory, const char* path, int flags) {
  return openat_plain<"__openat64_2">(directory, path, flags);
}
TRIKAL_WRAPPER int creat(const char* path, mode_t mode) { return create<"creat">(path, mode); }
TRIKAL_WRAPPER int creat64(const char* path, mode_t mode) { return create<"creat64">(path, mode); }
TRIKAL_WRAPPER int mkstemp(char* path) { return make_temporary<"mkstemp">(path); }
TRIKAL_WRAPPER int mkstemp64(char* path) { return make_temporary<"mkstemp64">(path); }
TRIKAL_WRAPPER int mkostemp(char* path, int flags) { return make_temporary<"mkostemp">(path, flags); }
TRIKAL_WRAPPER int mkostemp64(char* path, int flags) { return make_temporary<"mkostemp64">(path, flags); }
TRIKAL_WRAPPER int mkstemps(char* path, int suffix) { return make_temporary<"mkstemps">(path, suffix); }
TRIKAL_WRAPPER int mkstemps64(char* path, int suffix) { return make_temporary<"mkstemps64">(path, suffix); }
TRIKAL_WRAPPER int mkostemps(char* path, int suffix, int flags) {
  return make_temporary<"mkostemps">(path, suffix, flags);
}
TRIKAL_WRAPPER int mkostemps64(char* path, int suffix, int flags) {
  return make_temporary<"mkostemps64">(path, suffix, flags);
}

TRIKAL_WRAPPER int close(int fd) { return close_descriptor<Interposed<"close", int(int)>>(fd, fd); }
