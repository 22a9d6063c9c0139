#pragma once
// What is known of the thread that runs. One object: its parts share the way to thread-local memory.

#include <cstddef>
#include <cstdint>

namespace trikal::capture {

class Spin;

struct ThisThread {
  // The stack pointer of the function that does our bookkeeping (inside.hpp); 0: none does.
  std::uintptr_t inside = 0;
  std::uint32_t vforks = 0;  // children that run instead of this thread
  std::uint32_t number = 0;  // the kernel's; 0: not asked yet
  // The locks that were taken last: one that is left behind by a jump is among them.
  static constexpr std::size_t kTaken = 16;
  std::uint32_t taken_count = 0;
  Spin* taken[kTaken] = {};
};
extern constinit thread_local ThisThread this_thread;

}  // namespace trikal::capture
