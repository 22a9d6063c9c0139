#include <fmt/format.h>

#include <algorithm>

#include "analyze/rules/flows.hpp"
#include "analyze/rules/judge.hpp"

namespace trikal::analyze {
namespace {

constexpr Limit kStripeContentionLimits[] = {
    {"share", 0.2, "of the blocks written by several ranks, at least"},
    {"blocks", 16, "of those, at least"},
};

std::int64_t stripe_of(const Run& run, const FileUse& file, std::int64_t length) {
  constexpr std::int64_t kPlainBlock = 1024 * 1024;
  const Layout* layout = run.layout(file);
  const Component* part = layout != nullptr ? layout->widest(length) : nullptr;
  return part != nullptr && part->stripe_size > 0 ? part->stripe_size : kPlainBlock;
}

// Without a trace, counters tell where ranks alternate: the file is written once from end to end, no rank goes back,
// and so what a rank skips is written by others. Pieces of half a stripe leave no stripe to one rank.
TraceUse by_counters(const Run& run, const FileUse& file, const Use& use) {
  const Flow& write = use.write;
  const double covered = write.end > 0 ? real_of(write.bytes) / real_of(write.end) : 0;
  if (use.ranks < 2 || covered < 0.9 || covered > 1.1 || write.sequential + use.ranks < write.calls) return {};
  const std::int64_t pieces = std::max<std::int64_t>(write.sequential - write.consecutive, 1);
  const std::int64_t block = stripe_of(run, file, write.end), blocks = write.end / block;
  return {.block_bytes = block, .blocks = blocks, .contended = write.bytes / pieces <= block / 2 ? blocks : 0};
}

void look_for_stripe_contention(const Scene& scene, std::vector<Finding>& out) {
  const Run& run = scene.run;
  constexpr double kCost = 0.2;
  Offenders offenders(run);
  std::int64_t contended = 0;
  for_each_use(run, Layer::kPosix, [&](const FileUse& file, const Use& use) {
    const bool is_traced = run.trace(file).blocks > 0;
    const TraceUse trace = is_traced ? run.trace(file) : by_counters(run, file, use);
    if (trace.contended < scene.count(at(kStripeContentionLimits, "blocks")) || !run.is_parallel_job()) return;
    const double share = real_of(trace.contended) / real_of(trace.blocks);
    if (share < scene[at(kStripeContentionLimits, "share")]) return;
    const double beyond = seconds_of_writes(run, file, use) - scene.baseline.write.seconds_for(use.write.bytes);
    offenders.add(
        file, use, kCost * share * beyond,
        fmt::format("{} of {} blocks of {} have several writers{}", grouped(trace.contended), grouped(trace.blocks),
                    sized(real_of(trace.block_bytes)), is_traced ? "" : ", by how ranks alternate"));
    contended += trace.contended;
  });
  Finding finding;
  finding.title =
      fmt::format("{} stripes are written by several ranks each: {}", grouped(contended), offenders.names());
  finding.formula = "a fifth of the time of writing beyond what the bytes take, for the share of such stripes";
  conclude(offenders, std::move(finding), out);
}

}  // namespace

const Rule kStripeContention = {
    "stripe-contention",
    "ranks that write into the same stripes",
    "A stripe has one lock: ranks that write into it hand the lock to and fro instead of writing.",
    "Let each rank write whole stripes (align its region to the stripe size), write collectively, or choose a stripe "
    "size that a rank fills.",
    "a fifth of the time of writing beyond what the bytes take, for the share of stripes with several writers: the "
    "cost of a lock is not measured",
    look_for_stripe_contention,
    kStripeContentionLimits};

}  // namespace trikal::analyze
