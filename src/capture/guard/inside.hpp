#pragma once
// Whether this thread is inside our own bookkeeping. A signal handler that lands there and does I/O must find
// the wrapper closed (its call is counted as missed), and so must a vfork child, which borrows its parent's memory.
// The guard never covers the real call.
//
// A handler may also jump away (siglongjmp, an exception) and never come back. What was interrupted is then gone, and its
// guard with it, but nobody has opened it. So the guard keeps where on the stack its owner was: whoever finds it closed
// later can tell whether that is still there.

#include <cstdint>

#include "capture/guard/this_thread.hpp"

namespace trikal::capture {

// The thread sanitizer calls handlers itself, when the kernel's frame is gone.
#if defined(__SANITIZE_THREAD__)
inline constexpr bool kJumpsCanBeTold = false;
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
inline constexpr bool kJumpsCanBeTold = false;
#else
inline constexpr bool kJumpsCanBeTold = true;
#endif
#else
inline constexpr bool kJumpsCanBeTold = true;
#endif

// Instead of a stack pointer: the thread runs as its own vfork child.
inline constexpr std::uintptr_t kVforked = 1;

[[gnu::always_inline]] inline void enter() noexcept {
#if defined(__x86_64__)
  asm volatile("movq %%rsp, %0" : "=m"(this_thread.inside) : : "memory");
#else
  std::uintptr_t stack;
  asm volatile("mov %0, sp" : "=r"(stack) : : "memory");
  this_thread.inside = stack;
  asm volatile("" ::: "memory");
#endif
}
[[gnu::always_inline]] inline void leave() noexcept {
  asm volatile("" ::: "memory");
  this_thread.inside = 0;
}

// The guard is closed: false if that is left over from what is no longer there. Then it is open.
[[nodiscard, gnu::noinline, gnu::cold]] bool is_still_inside() noexcept;

[[nodiscard, gnu::always_inline]] inline bool is_inside() noexcept {
  return this_thread.inside != 0 && is_still_inside();
}
[[nodiscard]] inline bool is_vfork_child() noexcept { return this_thread.vforks != 0; }
inline void begin_vfork() noexcept {
  this_thread.vforks += 1;
  if (this_thread.inside == 0) this_thread.inside = kVforked;
}
inline void end_vfork() noexcept {
  this_thread.vforks -= 1;
  if (this_thread.vforks == 0 && this_thread.inside == kVforked) this_thread.inside = 0;
}

class Inside {
 public:
  Inside() noexcept : entered_(this_thread.inside == 0) {
    if (entered_) enter();
  }
  ~Inside() {
    if (entered_) leave();
  }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

  [[nodiscard]] bool entered() const noexcept { return entered_; }

 private:
  bool entered_;
};

// Also in a vfork child, unless it was a handler inside our bookkeeping that called vfork: its parent waits outside.
class InsideOrVforked {
 public:
  InsideOrVforked() noexcept : before_(this_thread.inside), entered_(before_ == kVforked || !is_inside()) {
    if (before_ != kVforked) before_ = 0;
    if (entered_) enter();
  }
  ~InsideOrVforked() {
    if (!entered_) return;
    leave();
    this_thread.inside = before_;
  }
  InsideOrVforked(const InsideOrVforked&) = delete;
  InsideOrVforked& operator=(const InsideOrVforked&) = delete;

  [[nodiscard]] bool entered() const noexcept { return entered_; }

 private:
  std::uintptr_t before_;
  bool entered_;
};

// As Inside, where it is known to be open: is_inside() said so before the real call.
class Entered {
 public:
  [[gnu::always_inline]] Entered() noexcept { enter(); }
  [[gnu::always_inline]] ~Entered() { leave(); }
  Entered(const Entered&) = delete;
  Entered& operator=(const Entered&) = delete;
};

}  // namespace trikal::capture
