#pragma once
// What this run itself shows to be possible, to measure the rest of it by.

#include <functional>

#include "analyze/dataset/run.hpp"

namespace trikal::analyze {

// How fast one rank moves bytes in large accesses.
struct Rate {
  enum class Basis : std::uint8_t { kAssumed, kOtherDirection, kMeasured };
  double bytes_per_second = 0;
  Basis basis = Basis::kAssumed;
  std::string_view file_system = {};  // that a rate is assumed for; empty: none is known
  // By how much it may be off: a measured rate varies from one access to the next, an assumed one is a guess.
  [[nodiscard]] double uncertainty() const {
    return basis == Basis::kMeasured ? 1.25 : basis == Basis::kOtherDirection ? 2 : 4;
  }
  // Seconds the bytes alone would take.
  [[nodiscard]] double seconds_for(std::int64_t bytes) const { return static_cast<double>(bytes) / bytes_per_second; }
};

// Reading from a cache is no measure for writing to a disk: each direction has its own. Where nothing large went one
// way, the other's rate is the next best guess, and else what file systems of that type reach. Calls that rules blame are
// never what others are measured by.
struct Baseline {
  Rate read, write;
  [[nodiscard]] double seconds_for(const Use& use) const {
    return read.seconds_for(use.read.bytes) + write.seconds_for(use.write.bytes);
  }
};

// As slow, or as fast, as it may really be.
[[nodiscard]] Baseline slower(const Baseline& baseline);
[[nodiscard]] Baseline faster(const Baseline& baseline);

// Only files for which counts(file) is true are measured.
using FileFilter = std::function<bool(const FileUse&)>;
[[nodiscard]] Baseline make_baseline(const Run& run, const FileFilter& counts = [](const FileUse&) { return true; });

}  // namespace trikal::analyze
