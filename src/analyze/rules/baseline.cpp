#include "analyze/rules/baseline.hpp"

#include <algorithm>

namespace trikal::analyze {
namespace {

// 0: nothing in this direction was large.
double best_rate(const Run& run, Flow Use::* direction, const FileFilter& counts) {
  constexpr double kLargeAccess = 256.0 * 1024, kEnoughBytes = 8.0 * 1024 * 1024;
  // Memory is not faster than this: such a number is a clock's resolution.
  constexpr double kFastest = 32.0 * 1024 * 1024 * 1024;
  double best = 0;
  for (const Layer layer : {Layer::kPosix, Layer::kStdio, Layer::kMpiio}) {
    for_each_use(run, layer, [&](const FileUse& file, const Use& use) {
      const Flow& flow = use.*direction;
      if (flow.mean_bytes() < kLargeAccess || static_cast<double>(flow.bytes) < kEnoughBytes) return;
      const double rate = flow.seconds > 0 ? static_cast<double>(flow.bytes) / flow.seconds : 0;
      if (rate > best && counts(file)) best = rate;
    });
  }
  return std::min(best, kFastest);
}

}  // namespace

Baseline make_baseline(const Run& run, const FileFilter& counts) {
  constexpr double kAssumed = 1024.0 * 1024 * 1024;  // a second: what page caches and fast disks reach
  const double read = best_rate(run, &Use::read, counts), write = best_rate(run, &Use::write, counts);
  const auto rate = [](double own, double other) -> Rate {
    if (own > 0) return {own, Rate::Basis::kMeasured};
    return other > 0 ? Rate{other, Rate::Basis::kOtherDirection} : Rate{kAssumed, Rate::Basis::kAssumed};
  };
  return {rate(read, write), rate(write, read)};
}

}  // namespace trikal::analyze
