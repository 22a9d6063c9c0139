#pragma once
// A lock for a few dozen instructions. Held only inside the guard, so a signal handler cannot wait for its own
// thread; after a fork the child frees them all. A thread that jumps out of a signal handler may leave one behind:
// whoever has waited for a second takes it over, because the application must not hang.

#include <time.h>

#include <atomic>
#include <cstdint>

#include "capture/raw.hpp"

namespace trikal::capture {

// Nonzero while the process has one thread: points at glibc's own word for it, where it has one. Then there is nobody to
// keep out, and taking a lock would be a tenth of what noting a call costs.
inline constinit const char kNeverAlone = 0;
inline constinit const volatile char* alone = &kNeverAlone;

class Spin {
 public:
  // For the hot path: where it fails, leave for a function that waits. A call in the middle of things would make
  // every caller save its registers first.
  [[nodiscard]] bool try_lock() noexcept { return *alone != 0 || held_.exchange(1, std::memory_order_acquire) == 0; }
  void lock() noexcept {
    if (!try_lock()) wait();
  }
  void unlock() noexcept { held_.store(0, std::memory_order_release); }
  void reset() noexcept { held_.store(0, std::memory_order_relaxed); }

 private:
  [[gnu::noinline, gnu::cold]] void wait() noexcept {
    const std::int64_t since = coarse_milliseconds();
    for (unsigned round = 1;; ++round) {
      if (held_.load(std::memory_order_relaxed) == 0 && try_lock()) return;
      relax();
      if (round % kPatience != 0) continue;
      // With more threads than cores the holder may be waiting for this very core.
      (void)raw_syscall(__NR_sched_yield);
      if (coarse_milliseconds() - since > kLongestWait) return;
    }
  }
  static std::int64_t coarse_milliseconds() noexcept {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    return std::int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1000000;
  }
  static void relax() noexcept {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#else
    asm volatile("yield");
#endif
  }

  static constexpr unsigned kPatience = 64;
  static constexpr std::int64_t kLongestWait = 1000;  // milliseconds
  std::atomic<std::uint32_t> held_{0};
};

class Locked {
 public:
  explicit Locked(Spin& spin) noexcept : spin_(spin) { spin_.lock(); }
  ~Locked() { spin_.unlock(); }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;

 private:
  Spin& spin_;
};

}  // namespace trikal::capture
