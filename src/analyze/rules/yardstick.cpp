#include "analyze/rules/yardstick.hpp"

#include <algorithm>

namespace trikal::analyze {

Yardstick make_yardstick(const Run& run) {
  constexpr double kLargeAccess = 256.0 * 1024, kEnoughBytes = 8.0 * 1024 * 1024;
  constexpr double kAssumed = 1024.0 * 1024 * 1024;  // a second: what page caches and fast disks reach
  Yardstick yardstick{kAssumed, false};
  double best = 0;
  for (const auto& uses : run.uses) {
    for (const Use& use : uses) {
      for (const Flow* flow : {&use.read, &use.write}) {
        if (flow->mean_bytes() < kLargeAccess || static_cast<double>(flow->bytes) < kEnoughBytes) continue;
        if (flow->seconds > 0) best = std::max(best, static_cast<double>(flow->bytes) / flow->seconds);
      }
    }
  }
  // Memory is not faster than this: such a number is a clock's resolution.
  constexpr double kFastest = 32.0 * 1024 * 1024 * 1024;
  if (best > 0) yardstick = {std::min(best, kFastest), true};
  return yardstick;
}

}  // namespace trikal::analyze
