#include "capture/session/command_line.hpp"

#include <algorithm>
#include <cstring>

#include "capture/session/small_file.hpp"

namespace trikal::capture {

constinit CommandLine command_line;

void CommandLine::keep(int count, char* const* arguments) noexcept {
  if (count <= 0 || arguments == nullptr || arguments[0] == nullptr) return;
  const char* end = arguments[0];
  for (int i = 0; i < count; ++i) {
    if (arguments[i] != end) return;  // not as the kernel has laid them out
    end += std::strlen(end) + 1;
  }
  begin_ = arguments[0], end_ = end;
}

std::size_t CommandLine::copy(char* out, std::size_t capacity) const noexcept {
  // A longer title than there was space for goes on behind it, and only the kernel knows how far.
  if (begin_ == nullptr || end_[-1] != '\0') return read_small_file("/proc/self/cmdline", out, capacity).size();
  const std::size_t length = std::min(static_cast<std::size_t>(end_ - begin_), capacity);
  std::memcpy(out, begin_, length);
  return length;
}

}  // namespace trikal::capture
