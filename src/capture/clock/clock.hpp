#pragma once
// Seconds since the session began, from the cycle counter. The counter is tied to the monotonic clock again and
// again while the program runs, so nothing drifts; until the first tie is good enough the clock is asked itself.
// Callable from any thread and any signal handler; never blocks.

#include <time.h>

#include <atomic>
#include <cstdint>

namespace trikal::capture {

using Ticks = std::uint64_t;

[[nodiscard]] inline Ticks read_counter() noexcept {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
  Ticks value;
  asm volatile("mrs %0, cntvct_el0" : "=r"(value));
  return value;
#else
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<Ticks>(now.tv_sec) * 1000000000U + static_cast<Ticks>(now.tv_nsec);
#endif
}

// A moment both clocks were read at, and the rate between them.
struct Tie {
  Ticks ticks = 0;
  double seconds = 0;           // since the session began
  double seconds_per_tick = 0;  // 0: not known yet
};

class Clock {
 public:
  // Called once, before any other use.
  void begin() noexcept;
  // Returns once the rate is known: at once, if the start of the session took as long as such things take.
  void settle() noexcept;
  // A forked child's session begins anew.
  void begin_again() noexcept;

  // Ticks to seconds. `at` must be a recent reading.
  [[nodiscard]] double seconds(Ticks at) noexcept {
    const Tie* tie = current_.load(std::memory_order_acquire);
    if (at - tie->ticks < tie_again_ticks_.load(std::memory_order_relaxed)) {
      return tie->seconds + static_cast<double>(at - tie->ticks) * tie->seconds_per_tick;
    }
    return tie_again(at);
  }

  // How long so many ticks take.
  [[nodiscard]] double length(Ticks ticks) const noexcept {
    return static_cast<double>(ticks) * current_.load(std::memory_order_acquire)->seconds_per_tick;
  }

 private:
  double tie_again(Ticks at) noexcept;
  [[nodiscard]] double monotonic() const noexcept;

  // Ties are written once and then only read; this many cannot be used up while a reader holds one.
  static constexpr unsigned kTies = 64;

  Tie ties_[kTies] = {};
  std::atomic<const Tie*> current_{&ties_[0]};
  std::atomic<Ticks> tie_again_ticks_{0};
  std::atomic<unsigned> next_{1};
  std::atomic<bool> tying_{false};
  timespec start_{};
};

}  // namespace trikal::capture
