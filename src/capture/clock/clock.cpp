#include "capture/clock/clock.hpp"

namespace trikal::capture {
namespace {

constexpr double kFirstCalibration = 0.00005;  // a rate over less than this is not worth much
constexpr double kCalibrateEvery = 0.05;
constexpr double kNoLongerShort = 0.01;

struct BothClocks {
  Ticks ticks = 0;
  timespec time{};
};

// Both clocks at one moment. A thread that loses its processor between the readings would put them apart by as long as
// it has to wait, and time would run back at the next calibration: of a few tries the closest counts.
BothClocks read_both() noexcept {
  constexpr int kTries = 3;
  BothClocks best;
  Ticks closest = ~Ticks{0};
  for (int i = 0; i < kTries; ++i) {
    timespec time;
    const Ticks before = read_counter();
    clock_gettime(CLOCK_MONOTONIC, &time);
    const Ticks apart = read_counter() - before;
    if (apart < closest) closest = apart, best = {before + apart / 2, time};
  }
  return best;
}

}  // namespace

void Clock::begin() noexcept {
  const BothClocks start = read_both();
  start_ = start.time;
  calibrations_[0].ticks = start.ticks;
}

void Clock::begin_again() noexcept {
  const double rate = current_.load(std::memory_order_relaxed)->seconds_per_tick;
  tying_.store(false, std::memory_order_relaxed);
  current_.store(&calibrations_[0], std::memory_order_relaxed);
  begin();
  calibrations_[0].seconds_per_tick = rate;
  const Ticks lasts = rate > 0 ? static_cast<Ticks>(kNoLongerShort / rate) : 0;
  calibrate_again_ticks_.store(lasts, std::memory_order_relaxed);
}

double Clock::since_start(const timespec& time) const noexcept {
  return static_cast<double>(time.tv_sec - start_.tv_sec) + static_cast<double>(time.tv_nsec - start_.tv_nsec) * 1e-9;
}

double Clock::calibrate_again(Ticks at) noexcept {
  BothClocks both = read_both();
  while (since_start(both.time) < kFirstCalibration) both = read_both();
  const double now = since_start(both.time);
  // Over the whole run so far: the longer, the better the rate.
  const double rate = now / static_cast<double>(both.ticks - calibrations_[0].ticks);
  const double result = now - as_real(both.ticks - at) * rate;
  if (tying_.exchange(true, std::memory_order_acquire)) return result;
  calibrate(both.ticks, now, rate);
  tying_.store(false, std::memory_order_release);
  if (now >= kNoLongerShort && later_.load(std::memory_order_relaxed) != nullptr) {
    const auto work = later_.exchange(nullptr, std::memory_order_relaxed);
    if (work != nullptr) work();
  }
  return result;
}

void Clock::calibrate(Ticks ticks, double now, double rate) noexcept {
  const unsigned slot = 1 + next_.fetch_add(1, std::memory_order_relaxed) % (kCalibrations - 1);
  calibrations_[slot] = {ticks, now, rate};
  current_.store(&calibrations_[slot], std::memory_order_release);
  calibrate_again_ticks_.store(static_cast<Ticks>((now < kCalibrateEvery ? now : kCalibrateEvery) / rate),
                               std::memory_order_relaxed);
}

}  // namespace trikal::capture
