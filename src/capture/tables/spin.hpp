#pragma once
// A lock for a few dozen instructions. Held only inside the guard, so a signal handler cannot wait for its own
// thread; after a fork the child frees them all.

#include <atomic>
#include <cstdint>

#include "capture/raw.hpp"

namespace trikal::capture {

class Spin {
 public:
  // For the hot path: where it fails, leave for a function that waits. A call in the middle of things would make
  // every caller save its registers first.
  [[nodiscard]] bool try_lock() noexcept { return held_.exchange(1, std::memory_order_acquire) == 0; }
  void lock() noexcept {
    if (!try_lock()) wait();
  }
  void unlock() noexcept { held_.store(0, std::memory_order_release); }
  void reset() noexcept { held_.store(0, std::memory_order_relaxed); }

 private:
  [[gnu::noinline, gnu::cold]] void wait() noexcept {
    for (unsigned round = 0;; ++round) {
      while (held_.load(std::memory_order_relaxed) != 0) {
        // With more threads than cores the holder may be waiting for this very core.
        if (++round % kPatience == 0) (void)raw_syscall(__NR_sched_yield);
        relax();
      }
      if (try_lock()) return;
    }
  }
  static void relax() noexcept {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#else
    asm volatile("yield");
#endif
  }

  static constexpr unsigned kPatience = 64;
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
