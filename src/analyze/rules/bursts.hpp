#pragma once
// When I/O happens: bursts, and whether they come at a regular interval.

#include <optional>

#include "analyze/dataset/run.hpp"

namespace trikal::analyze {

struct Burst {
  std::size_t first = 0, last = 0;  // slices of the timeline
  double bytes = 0;
};

// Stretches of the timeline with I/O, `pause` slices or more without any between them. Slices with less than a
// fiftieth of the busiest count as idle: a line in a log file is no burst.
[[nodiscard]] std::vector<Burst> find_bursts(const Timeline& timeline, std::size_t pause);

struct Period {
  double seconds = 0, bytes = 0;  // bytes: of one period on average
  double times = 0, likeness = 0;
};

// The interval at which the timeline repeats itself, by autocorrelation. Nothing where I/O is even or irregular, or
// was not seen `periods` times.
[[nodiscard]] std::optional<Period> find_period(const Timeline& timeline, double periods, double likeness);

}  // namespace trikal::analyze
