#pragma once
// Time spent in one class of operations on one file, overlaps counted once.

#include <bit>
#include <cstdint>

#include "capture/session/session.hpp"

namespace trikal::capture {

// What `when` adds to a timer whose last operation ended at `last`; moves `last` on. Never negative: of two
// operations that overlap (threads), the later one adds only what it reaches beyond the first.
inline double added_time(Span when, double& last) noexcept {
  const double from = when.begin > last ? when.begin : last;
  if (when.end <= from) return 0;
  last = when.end;
  return when.end - from;
}

// First beginnings and last ends. 0 means "never happened": taken one lower, its bits are the largest number there is,
// and the bits of other times are in the order of the times.
inline bool is_earlier(double begin, double held) noexcept {
  return std::bit_cast<std::uint64_t>(begin) - 1 < std::bit_cast<std::uint64_t>(held) - 1;
}
inline double earlier(double held, double begin) noexcept { return is_earlier(begin, held) ? begin : held; }
inline double later(double held, double end) noexcept { return end > held ? end : held; }

}  // namespace trikal::capture
