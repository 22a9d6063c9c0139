#pragma once
// What ranks lose, as the run loses it: ranks work side by side, and all wait for the slowest. What a bottleneck costs is
// never divided by the ranks that wait for it.

#include <cstdint>
#include <unordered_map>

#include "analyze/dataset/run.hpp"

namespace trikal::analyze {

// An estimate and how far off it may be.
struct SecondsRange {
  double least = 0, likely = 0, most = 0;
};

class CriticalPath {
 public:
  explicit CriticalPath(const Run& run) : run_(run), is_parallel_(run.is_parallel_job()) {}

  // `lost` by all ranks of the use together; returns what the run loses by that alone.
  double add(const Use& use, double lost);
  // Of all that was added. Files of one rank each are used side by side; a shared file is as slow as its slowest rank.
  [[nodiscard]] SecondsRange seconds() const;

 private:
  const Run& run_;
  bool is_parallel_;
  std::unordered_map<std::int64_t, double> own_;  // by the rank that loses it
  double shared_ = 0;  // what all wait for
  double whole_ = 0, all_ = 0;  // known to be lost by the run; lost by ranks, each for itself
};

}  // namespace trikal::analyze
