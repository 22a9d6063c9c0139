#pragma once
// The precision of times in a log.

#include <algorithm>
#include <bit>
#include <cstdint>

namespace trikal::log::crash {

// 2^20 a second, so about the last digit that is printed: finer ones are noise, and noise does not compress.
inline constexpr double kClockSteps = 1048576;
inline constexpr double kLatestSecond = 1e12;  // a map may hold anything

// A time a record has. What took less than a step took one: nothing that happened took no time. What cannot be a time
// never happened.
[[nodiscard]] inline double rounded(double seconds) noexcept {
  if (!(seconds > 0 && seconds < kLatestSecond)) return 0;
  const auto steps = static_cast<std::int64_t>(seconds * kClockSteps + 0.5);
  return static_cast<double>(std::max<std::int64_t>(steps, 1)) / kClockSteps;
}

// One that may lie before the job's start, or at it.
[[nodiscard]] inline double rounded_either_way(double seconds) noexcept {
  if (!(seconds > -kLatestSecond && seconds < kLatestSecond)) return seconds;
  const double half = seconds < 0 ? -0.5 : 0.5;
  return static_cast<double>(static_cast<std::int64_t>(seconds * kClockSteps + half)) / kClockSteps;
}

// What observing costs is known to a percent at best, and six bits behind the first one say that.
[[nodiscard]] inline double rounded_to_a_percent(double seconds) noexcept {
  constexpr std::uint64_t kDropped = std::uint64_t{1} << 46;
  if (!(seconds > 0 && seconds < kLatestSecond)) return seconds;
  return std::bit_cast<double>((std::bit_cast<std::uint64_t>(seconds) + kDropped / 2) & ~(kDropped - 1));
}

}  // namespace trikal::log::crash
