#pragma once
// How readings of the cycle counter become seconds.

#include <cstdint>

namespace trikal {

using Ticks = std::uint64_t;

// A moment both clocks were read at, and the rate between them.
struct ClockCalibration {
  Ticks ticks = 0;
  double seconds = 0;           // since the session began
  double seconds_per_tick = 0;  // 0: not known yet

  // Signed: a moment may lie before this one.
  [[nodiscard]] double seconds_at(Ticks at) const noexcept { return seconds + seconds_of(at - ticks); }
  [[nodiscard]] double seconds_of(Ticks count) const noexcept {
    return static_cast<double>(static_cast<std::int64_t>(count)) * seconds_per_tick;
  }
  [[nodiscard]] Ticks ticks_at(double at) const noexcept {
    return ticks + static_cast<Ticks>(static_cast<std::int64_t>((at - seconds) / seconds_per_tick));
  }
};

}  // namespace trikal
