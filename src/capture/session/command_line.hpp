#pragma once
// The arguments this program was started with, where the kernel has put them. Reading them there takes nothing, asking
// the kernel for them (/proc/self/cmdline) a tenth of what a process that does little pays for being observed.

#include <cstddef>

namespace trikal::capture {

class CommandLine {
 public:
  // As a constructor of ours is told. Ours only: not every C library tells.
  void keep(int count, char* const* arguments) noexcept;
  // Each ended by a NUL, as far as they fit; the length. What the program has written over them since counts, as it
  // does for the kernel.
  std::size_t copy(char* out, std::size_t capacity) const noexcept;

 private:
  const char* begin_ = nullptr;  // null: not known, the kernel is asked
  const char* end_ = nullptr;
};
extern constinit CommandLine command_line;

}  // namespace trikal::capture
