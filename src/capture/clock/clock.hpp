#pragma once
// Seconds since the session began, from the cycle counter. The counter is tied to the monotonic clock again and
// again while the program runs, so nothing drifts. Until the session is old enough to tell the counter's rate, a call that
// wants seconds waits for that, 50 microseconds at most.
// Callable from any thread and any signal handler.

#include <time.h>

#include <atomic>
#include <cstdint>

#include "base/clock_calibration.hpp"

namespace trikal::capture {

using trikal::ClockCalibration;
using trikal::Ticks;  // wrappers name it without looking further

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

// A span of time, in seconds since the session began.
struct Span {
  double begin = 0;
  double end = 0;
  [[nodiscard]] double length() const noexcept { return end - begin; }
};

// The same as the counter saw it, which is enough for most of what is counted. session.hpp makes it a Span.
struct TickInterval {
  Ticks begin = 0;
  Ticks end = 0;
  [[nodiscard]] Ticks length() const noexcept { return end - begin; }
  operator Span() const noexcept;  // NOLINT(google-explicit-constructor): wrappers take what they need
};

class Clock {
 public:
  // Called once, before any other use.
  void begin() noexcept;
  // A forked child's session begins anew, at the rate its parent has found.
  void begin_again() noexcept;
  // `work` is done once, in the middle of a call that is noted when the session is no longer short: what it takes then
  // does not matter.
  void do_later(void (*work)() noexcept) noexcept { later_.store(work, std::memory_order_relaxed); }

  // The seconds between two readings; `end` must be a recent one.
  [[nodiscard]] Span span(Ticks begin, Ticks end) noexcept {
    const ClockCalibration* calibration = current_.load(std::memory_order_acquire);
    double ended = calibration->seconds + as_real(end - calibration->ticks) * calibration->seconds_per_tick;
    if (end - calibration->ticks >= calibrate_again_ticks_.load(std::memory_order_relaxed)) [[unlikely]] {
      ended = calibrate_again(end);
      calibration = current_.load(std::memory_order_acquire);
    }
    return {ended - as_real(end - begin) * calibration->seconds_per_tick, ended};
  }

  // How readings are turned into seconds now, and for how many ticks from its moment on.
  [[nodiscard]] ClockCalibration calibration() const noexcept { return *current_.load(std::memory_order_acquire); }
  [[nodiscard]] Ticks calibration_lasts() const noexcept {
    return calibrate_again_ticks_.load(std::memory_order_relaxed);
  }

 private:
  // Differences of readings are far below 2^63, and there is an instruction for signed numbers.
  static double as_real(Ticks ticks) noexcept { return static_cast<double>(static_cast<std::int64_t>(ticks)); }
  [[gnu::noinline, gnu::cold]] double calibrate_again(Ticks at) noexcept;
  [[nodiscard]] double since_start(const timespec& time) const noexcept;
  void calibrate(Ticks ticks, double now, double rate) noexcept;

  // Calibrations are written once and then only read; this many cannot be used up while a reader holds one.
  static constexpr unsigned kCalibrations = 64;

  ClockCalibration calibrations_[kCalibrations] = {};
  std::atomic<const ClockCalibration*> current_{&calibrations_[0]};
  std::atomic<Ticks> calibrate_again_ticks_{0};
  std::atomic<unsigned> next_{1};
  std::atomic<bool> tying_{false};
  std::atomic<void (*)() noexcept> later_{nullptr};
  timespec start_{};
};

}  // namespace trikal::capture
