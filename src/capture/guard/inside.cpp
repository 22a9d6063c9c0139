#include "capture/guard/inside.hpp"

#include <signal.h>
#include <sys/auxv.h>

#include "capture/guard/spin.hpp"
#include "capture/raw.hpp"

namespace trikal::capture {

constinit thread_local ThisThread this_thread;

namespace {

using Word = std::uint64_t;

// The part of the frame that the kernel lays on the stack for a handler where the interrupted code's stack pointer is, and
// what follows it: enough to know it by.
#if defined(__x86_64__)
constexpr std::size_t kPatternWords = 4;  // stack pointer, instruction, flags, segments
bool is_pattern(const Word* words) noexcept {
  constexpr Word kUserCode = 0x33, kUserStack = Word{0x2b} << 48U;
  constexpr Word kAlwaysSet = 2, kFlags = (Word{1} << 22U) - 1;
  return (words[3] & ~kUserStack) == kUserCode && (words[2] & kAlwaysSet) != 0 && words[2] <= kFlags;
}
constexpr std::size_t kSmallestFrame = 900;  // general registers, floating point ones, and what may not be written to
#elif defined(__aarch64__)
constexpr std::size_t kPatternWords = 5;  // stack pointer, instruction, state, padding, head of the floating point ones
bool is_pattern(const Word* words) noexcept {
  constexpr Word kFloatingPoint = 0x46508001 | Word{0x210} << 32U;
  return words[4] == kFloatingPoint && words[1] % 4 == 0 && (words[2] & 0x1f) == 0;
}
constexpr std::size_t kSmallestFrame = 4096;
#endif

// Whether a handler that interrupted something at `to` or deeper is under way between there and `from`. What is left over
// from one that is gone may be taken for it: then the thread waits for a call from further up.
__attribute__((no_sanitize("address", "thread"))) bool has_handler_between(std::uintptr_t from,
                                                                           std::uintptr_t to) noexcept {
  if (to - from < kSmallestFrame) return false;
  const auto* end = reinterpret_cast<const Word*>(to & ~std::uintptr_t{7});
  for (const Word* at = reinterpret_cast<const Word*>(from & ~std::uintptr_t{7}); at + kPatternWords <= end; ++at) {
    if (at[0] > reinterpret_cast<std::uintptr_t>(at) && at[0] <= to && is_pattern(at)) return true;
  }
  return false;
}

// Where this thread's stack begins: the kernel lays things there for the first thread, the C library for others.
std::uintptr_t stack_begin() noexcept {
  if (raw_syscall(__NR_gettid) == raw_syscall(__NR_getpid)) return getauxval(AT_RANDOM);
  std::uintptr_t control_block;
#if defined(__x86_64__)
  asm("movq %%fs:0, %0" : "=r"(control_block));
#else
  asm("mrs %0, tpidr_el0" : "=r"(control_block));
#endif
  return control_block;
}

// Whether an address lies on the stack that the thread was given, and not on one of the program's making (coroutines):
// nothing but stack lies between there and its beginning.
bool is_on_own_stack(std::uintptr_t address) noexcept {
  constexpr std::uintptr_t kMost = 64UL * 1024 * 1024;
  const std::uintptr_t begin = stack_begin(), page = getauxval(AT_PAGESZ);
  if (page == 0 || address >= begin || begin - address > kMost) return false;
  for (std::uintptr_t at = address & ~(page - 1); at < begin; at += page) {
    if (!can_be_read(at)) return false;
  }
  return true;
}

// What was inside is gone, if no way leads back to it. False where that cannot be told.
bool is_gone(std::uintptr_t inside, std::uintptr_t here) noexcept {
  stack_t other{};
  if (!kJumpsCanBeTold || raw_syscall(__NR_sigaltstack, 0, raw_pointer(&other)) != 0) return false;
  if ((other.ss_flags & SS_ONSTACK) != 0) return false;  // a handler that has a stack of its own
  if (inside - reinterpret_cast<std::uintptr_t>(other.ss_sp) < other.ss_size) return true;  // and here it is over
  if (!is_on_own_stack(inside < here ? inside : here)) return false;
  return inside <= here || !has_handler_between(here, inside);
}

}  // namespace

bool is_still_inside() noexcept {
  const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  const std::uintptr_t inside = this_thread.inside;
  if (inside == kVforked || is_vfork_child() || !is_gone(inside, here)) return true;
  Spin::free_left_behind();
  leave();
  count_missed_call();  // the call that was being noted may be counted in part
  return false;
}

}  // namespace trikal::capture
