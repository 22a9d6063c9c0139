#include "capture/session/own_stack.hpp"

#include <signal.h>

#include <atomic>
#include <cstdint>

#include "capture/rare.hpp"
#include "capture/raw.hpp"

// Calls work(argument) with the stack pointer at `top`, which is aligned to 16 bytes, and comes back on the caller's
// stack. The frame register holds the way back, so debuggers and unwinders see through.
extern "C" __attribute__((visibility("hidden"))) void trikal_call_on_stack(void (*work)(void*), void* argument,
                                                                           void* top);

#if defined(__x86_64__)
asm(R"(
.text
.globl trikal_call_on_stack
.hidden trikal_call_on_stack
.type trikal_call_on_stack, @function
trikal_call_on_stack:
  .cfi_startproc
  pushq %rbp
  .cfi_adjust_cfa_offset 8
  .cfi_rel_offset %rbp, 0
  movq %rsp, %rbp
  .cfi_def_cfa_register %rbp
  movq %rdx, %rsp
  movq %rdi, %rax
  movq %rsi, %rdi
  call *%rax
  movq %rbp, %rsp
  popq %rbp
  .cfi_def_cfa %rsp, 8
  ret
  .cfi_endproc
.size trikal_call_on_stack, .-trikal_call_on_stack
)");
#elif defined(__aarch64__)
asm(R"(
.text
.globl trikal_call_on_stack
.hidden trikal_call_on_stack
.type trikal_call_on_stack, %function
trikal_call_on_stack:
  .cfi_startproc
  stp x29, x30, [sp, #-16]!
  .cfi_adjust_cfa_offset 16
  .cfi_rel_offset x29, 0
  .cfi_rel_offset x30, 8
  mov x29, sp
  .cfi_def_cfa_register x29
  mov sp, x2
  mov x9, x0
  mov x0, x1
  blr x9
  mov sp, x29
  ldp x29, x30, [sp], #16
  .cfi_def_cfa sp, 0
  ret
  .cfi_endproc
.size trikal_call_on_stack, .-trikal_call_on_stack
)");
#endif

namespace trikal::capture {
namespace {

// Four times what the deepest path takes, which tests/structure/test_stacks.py adds up. Pages come when they are touched; it ends
// with one, because starting a session takes no more than that.
alignas(4096) TRIKAL_RARE constinit std::byte stack[160 * 1024];

constexpr std::uint64_t bit(int signal) noexcept { return std::uint64_t{1} << (signal - 1); }

class SignalsWait {
 public:
  SignalsWait() noexcept { change(SIG_BLOCK, &kWaiting, &before_); }
  ~SignalsWait() { change(SIG_SETMASK, &before_, nullptr); }
  SignalsWait(const SignalsWait&) = delete;
  SignalsWait& operator=(const SignalsWait&) = delete;

 private:
  static constexpr int kSetIds = 33;  // the C library's own: setuid waits for every thread to answer
  static constexpr std::uint64_t kWaiting = ~(bit(SIGSEGV) | bit(SIGBUS) | bit(SIGILL) | bit(SIGFPE) | bit(SIGTRAP) |
                                              bit(SIGSYS) | bit(SIGABRT) | bit(SIGXFSZ) | bit(kSetIds));
  static void change(int how, const std::uint64_t* set, std::uint64_t* before) noexcept {
    (void)raw_syscall(__NR_rt_sigprocmask, how, raw_pointer(set), raw_pointer(before), sizeof *set);
  }
  std::uint64_t before_ = 0;
};

// By a thread that makes the map of its first record, for less than a millisecond; by one that ends the session, for good.
constinit std::atomic<bool> in_use{false};

void work_there(void (*work)(void*), void* argument) noexcept {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  (void)stack;  // sanitizers keep books on stacks
  work(argument);
#else
  trikal_call_on_stack(work, argument, stack + sizeof stack);
#endif
  in_use.store(false, std::memory_order_release);
}

}  // namespace

void free_own_stack() noexcept { in_use.store(false, std::memory_order_relaxed); }

// While the session starts, this very thread is there already.
bool try_on_own_stack(void (*work)(void*), void* argument) noexcept {
  const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  if (here - reinterpret_cast<std::uintptr_t>(stack) < sizeof stack) return work(argument), true;
  const SignalsWait held;
  if (in_use.exchange(true, std::memory_order_acquire)) return false;
  work_there(work, argument);
  return true;
}

void run_on_own_stack(void (*work)(void*), void* argument) noexcept {
  const SignalsWait held;
  while (in_use.exchange(true, std::memory_order_acquire)) (void)raw_syscall(__NR_sched_yield);
  work_there(work, argument);
}

}  // namespace trikal::capture
