// Formatted output straight to a descriptor: one write each, however libc cuts it.

#include <stdarg.h>
#include <stdio.h>

#include "capture/interpose/interposed.hpp"
#include "modules/posix/wrappers_data.hpp"

namespace {

using namespace trikal::capture;         // NOLINT: a file of wrappers
using namespace trikal::modules::posix;  // NOLINT

template <class Wrapper, class... A>
TRIKAL_INTO_WRAPPER int print(int fd, A... args) noexcept {
  return on_data<Wrapper>(
      fd,
      [](Watched on, TickInterval when, int result, A...)
          TRIKAL_INLINED { at_position<has_written>(on, when, {result, 0, false}); },
      args...);
}

TRIKAL_INTO_WRAPPER int print_list(int fd, const char* format, va_list list) noexcept {
  return print<Interposed<"vdprintf", int(int, const char*, va_list)>>(fd, fd, format, list);
}
TRIKAL_INTO_WRAPPER int print_list_checked(int fd, int flag, const char* format, va_list list) noexcept {
  return print<Interposed<"__vdprintf_chk", int(int, int, const char*, va_list)>>(fd, fd, flag, format, list);
}

}  // namespace

TRIKAL_WRAPPER int vdprintf(int fd, const char* format, va_list list) { return print_list(fd, format, list); }
TRIKAL_WRAPPER int dprintf(int fd, const char* format, ...) {
  va_list list;
  va_start(list, format);
  const int result = print_list(fd, format, list);
  va_end(list);
  return result;
}
TRIKAL_WRAPPER int __vdprintf_chk(int fd, int flag, const char* format, va_list list) {
  return print_list_checked(fd, flag, format, list);
}
TRIKAL_WRAPPER int __dprintf_chk(int fd, int flag, const char* format, ...) {
  va_list list;
  va_start(list, format);
  const int result = print_list_checked(fd, flag, format, list);
  va_end(list);
  return result;
}
