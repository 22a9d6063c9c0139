#include "analyze/rules/yardstick.hpp"

#include <algorithm>

namespace trikal::analyze {
namespace {

// 0: nothing in this direction was large.
double best_rate(const Run& run, Flow Use::* direction) {
  constexpr double kLargeAccess = 256.0 * 1024, kEnoughBytes = 8.0 * 1024 * 1024;
  // Memory is not faster than this: such a number is a clock's resolution.
  constexpr double kFastest = 32.0 * 1024 * 1024 * 1024;
  double best = 0;
  for (const auto& uses : run.uses) {
    for (const Use& use : uses) {
      const Flow& flow = use.*direction;
      if (flow.mean_bytes() < kLargeAccess || static_cast<double>(flow.bytes) < kEnoughBytes) continue;
      if (flow.seconds > 0) best = std::max(best, static_cast<double>(flow.bytes) / flow.seconds);
    }
  }
  return std::min(best, kFastest);
}

}  // namespace

Yardstick make_yardstick(const Run& run) {
  constexpr double kAssumed = 1024.0 * 1024 * 1024;  // a second: what page caches and fast disks reach
  const double read = best_rate(run, &Use::read), write = best_rate(run, &Use::write);
  const auto rate = [](double own, double other) -> Rate {
    if (own > 0) return {own, Rate::Basis::kMeasured};
    return other > 0 ? Rate{other, Rate::Basis::kOtherDirection} : Rate{kAssumed, Rate::Basis::kAssumed};
  };
  return {rate(read, write), rate(write, read)};
}

}  // namespace trikal::analyze
