#pragma once
// Small files of the kernel's, read whole without libc.

#include <fcntl.h>

#include <cstddef>
#include <string_view>

#include "capture/raw.hpp"

namespace trikal::capture {

// What fits into `out`; empty if the file cannot be read. O_NONBLOCK in `more` is for paths that may lead to a pipe, which
// nobody may ever write to.
inline std::string_view read_small_file(const char* path, char* out, std::size_t capacity, int more = 0) noexcept {
  const long descriptor = raw_syscall(__NR_openat, AT_FDCWD, raw_pointer(path), O_RDONLY | O_CLOEXEC | more);
  if (descriptor < 0) return {};
  std::size_t length = 0;
  while (length < capacity) {
    const long got =
        raw_syscall(__NR_read, descriptor, raw_pointer(out + length), static_cast<long>(capacity - length));
    if (got <= 0) break;
    length += static_cast<std::size_t>(got);
  }
  (void)raw_syscall(__NR_close, descriptor);
  return {out, length};
}

// The same of one that the kernel hands out whole with the first read.
inline std::string_view read_short_file(const char* path, char* out, std::size_t capacity) noexcept {
  const long descriptor = raw_syscall(__NR_openat, AT_FDCWD, raw_pointer(path), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return {};
  const long got = raw_syscall(__NR_read, descriptor, raw_pointer(out), static_cast<long>(capacity));
  (void)raw_syscall(__NR_close, descriptor);
  return {out, got > 0 ? static_cast<std::size_t>(got) : 0};
}

}  // namespace trikal::capture
