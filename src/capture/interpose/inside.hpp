#pragma once
// Whether this thread is inside our own bookkeeping. A signal handler that lands there and does I/O must find
// the wrapper closed (its call is counted as missed), and so must a vfork child, which borrows its parent's memory.
// The guard never covers the real call.

#include <cstdint>

namespace trikal::capture {

extern constinit thread_local std::uint32_t inside_depth;

class Inside {
 public:
  Inside() noexcept : entered_(inside_depth == 0) {
    inside_depth = inside_depth + 1;
    asm volatile("" ::: "memory");
  }
  ~Inside() {
    asm volatile("" ::: "memory");
    inside_depth = inside_depth - 1;
  }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

  [[nodiscard]] bool entered() const noexcept { return entered_; }

 private:
  bool entered_;
};

}  // namespace trikal::capture
