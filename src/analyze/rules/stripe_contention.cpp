#include <fmt/format.h>

#include "analyze/rules/judge.hpp"

namespace trikal::analyze {
namespace {

constexpr Limit kLimits[] = {
    {"share", 0.2, "of the blocks written by several ranks, at least"},
    {"blocks", 16, "of those, at least"},
};

void look(const Scene& scene, std::vector<Finding>& out) {
  const Run& run = scene.run;
  constexpr double kCost = 0.2;
  Culprits culprits(run);
  std::int64_t contended = 0;
  for_each_use(run, Layer::kPosix, [&](const FileUse& file, const Use& use) {
    const TraceUse& trace = run.trace(file);
    if (trace.contended < scene.count(at(kLimits, "blocks")) || !run.is_parallel_job()) return;
    const double share = real_of(trace.contended) / real_of(trace.blocks);
    if (share < scene[at(kLimits, "share")]) return;
    const double beyond = use.write.seconds - scene.yardstick.write.seconds_for(use.write.bytes);
    culprits.add(file, use, kCost * share * beyond,
                 fmt::format("{} of {} blocks of {} have several writers", grouped(trace.contended),
                             grouped(trace.blocks), sized(real_of(trace.block_bytes))));
    contended += trace.contended;
  });
  Finding finding;
  finding.title = fmt::format("{} stripes are written by several ranks each: {}", grouped(contended), culprits.names());
  finding.formula = "a fifth of the time of writing beyond what the bytes take, for the share of such stripes";
  conclude(culprits, std::move(finding), out);
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
    look,
    kLimits,
    true};

}  // namespace trikal::analyze
