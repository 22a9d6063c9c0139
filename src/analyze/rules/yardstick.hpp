#pragma once
// What this run itself shows to be possible, to measure the rest of it by.

#include "analyze/dataset/run.hpp"

namespace trikal::analyze {

struct Yardstick {
  double bytes_per_second = 0;  // of large accesses
  bool measured = false;        // else assumed: nothing in this run was large enough
  // Seconds the bytes alone would take.
  [[nodiscard]] double seconds_for(std::int64_t bytes) const { return static_cast<double>(bytes) / bytes_per_second; }
};

[[nodiscard]] Yardstick make_yardstick(const Run& run);

}  // namespace trikal::analyze
