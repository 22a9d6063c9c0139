#include "analyze/rules/flows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace trikal::analyze {
namespace {

constexpr std::int64_t kManyCalls = 1000;
constexpr double kGoodSize = 1024.0 * 1024;

std::string bandwidth_words(const Yardstick& yardstick) {
  return fmt::format("{}/s ({})", sized(yardstick.bytes_per_second),
                     yardstick.measured ? "the best of this run" : "assumed: nothing in this run was large");
}

// What the same bytes would take in calls of 1 MiB, each as dear as one is now.
double seconds_in_large_calls(const Flow& flow, const Yardstick& yardstick) {
  const double per_call = flow.seconds / static_cast<double>(flow.calls);
  return yardstick.seconds_for(flow.bytes) + per_call * std::ceil(static_cast<double>(flow.bytes) / kGoodSize);
}

}  // namespace

void look_for_small(const Run& run, const Yardstick& yardstick, const Direction& direction, std::vector<Finding>& out) {
  constexpr double kMostlySmall = 0.5;
  Culprits culprits(run);
  std::int64_t calls = 0, bytes = 0;
  double seconds = 0;
  for_each_use(run, Layer::kPosix, [&](const FileUse& file, const Use& use) {
    const Flow& flow = use.*direction.flow;
    const auto small = static_cast<double>(flow.calls_below_100k());
    if (flow.calls < kManyCalls || small < kMostlySmall * static_cast<double>(flow.calls)) return;
    const double lost = flow.seconds - seconds_in_large_calls(flow, yardstick);
    if (lost <= 0) return;
    culprits.add(file, use, lost,
                 fmt::format("{} {} of {} on average", grouped(flow.calls), direction.calls, sized(flow.mean_bytes())));
    calls += flow.calls, bytes += flow.bytes, seconds += flow.seconds;
  });
  if (culprits.seconds() < kWorthSeconds) return;
  Finding finding;
  const double mean = static_cast<double>(bytes) / static_cast<double>(calls);
  finding.title =
      fmt::format("{} {} of {} on average: {}", grouped(calls), direction.calls, sized(mean), culprits.names());
  finding.evidence = {fmt::format("{} {} in {} calls took {}", sized(static_cast<double>(bytes)), direction.verb,
                                  grouped(calls), timed(seconds))};
  finding.formula = fmt::format("{} spent, less {} at {} in calls of 1 MiB, by rank", timed(seconds),
                                sized(static_cast<double>(bytes)), bandwidth_words(yardstick));
  culprits.settle(finding);
  out.push_back(std::move(finding));
}

void look_for_random(const Run& run, const Yardstick& yardstick, const Direction& direction,
                     std::vector<Finding>& out) {
  constexpr double kMostlyRandom = 0.2;
  Culprits culprits(run);
  std::int64_t calls = 0, jumps = 0;
  double seconds = 0;
  for_each_use(run, Layer::kPosix, [&](const FileUse& file, const Use& use) {
    const Flow& flow = use.*direction.flow;
    const std::int64_t random = flow.calls - flow.sequential;
    const double share = flow.calls > 0 ? static_cast<double>(random) / static_cast<double>(flow.calls) : 0;
    if (random < kManyCalls || share < kMostlyRandom) return;
    const double lost = (flow.seconds - yardstick.seconds_for(flow.bytes)) * share;
    if (lost <= 0) return;
    culprits.add(file, use, lost,
                 fmt::format("{} of {} {} went backwards", grouped(random), grouped(flow.calls), direction.calls));
    calls += flow.calls, jumps += random, seconds += flow.seconds;
  });
  if (culprits.seconds() < kWorthSeconds) return;
  Finding finding;
  finding.title = fmt::format("{} of {} {} jump backwards in the file: {}", grouped(jumps), grouped(calls),
                              direction.calls, culprits.names());
  finding.evidence = {fmt::format("those files' {} took {}", direction.calls, timed(seconds))};
  finding.formula = fmt::format("time beyond what the bytes take at {}, for the share of calls that jump",
                                bandwidth_words(yardstick));
  culprits.settle(finding);
  out.push_back(std::move(finding));
}

void look_for_repeats(const Run& run, const Direction& direction, std::vector<Finding>& out) {
  constexpr double kTwice = 2;
  constexpr std::int64_t kEnough = 1024 * 1024;
  Culprits culprits(run);
  std::int64_t bytes = 0, length = 0;
  for (const Layer layer : {Layer::kPosix, Layer::kStdio}) {
    for_each_use(run, layer, [&](const FileUse& file, const Use& use) {
      const Flow& flow = use.*direction.flow;
      if (flow.end <= 0 || flow.bytes < kEnough) return;
      const double times = static_cast<double>(flow.bytes) / static_cast<double>(flow.end);
      if (times < kTwice) return;
      culprits.add(file, use, flow.seconds * (1 - 1 / times),
                   fmt::format("{} {} a file of {}: {:.1f} times", sized(static_cast<double>(flow.bytes)), direction.to,
                               sized(static_cast<double>(flow.end)), times));
      bytes += flow.bytes, length += flow.end;
    });
  }
  if (culprits.seconds() < kWorthSeconds) return;
  Finding finding;
  finding.title = fmt::format("{} {} files that hold {}: {}", sized(static_cast<double>(bytes)), direction.to,
                              sized(static_cast<double>(length)), culprits.names());
  finding.formula =
      fmt::format("time of {} times (1 - length / bytes {}), by file and rank", direction.gerund, direction.verb);
  culprits.settle(finding);
  out.push_back(std::move(finding));
}

}  // namespace trikal::analyze
