#include <fmt/format.h>

#include <algorithm>

#include "analyze/rules/judge.hpp"

namespace trikal::analyze {
namespace {

constexpr Limit kSingleStripeLimits[] = {
    {"ranks", 2, "that share the file, at least"},
    {"bytes", 32.0 * 1024 * 1024, "long, at least"},
};

void look_for_single_stripe(const Scene& scene, std::vector<Finding>& out) {
  const Run& run = scene.run;
  Offenders offenders(run);
  for_each_use(run, Layer::kPosix, [&](const FileUse& file, const Use& use) {
    const Layout* layout = run.layout(file);
    const std::int64_t length = std::max(use.read.end, use.write.end);
    if (layout == nullptr || use.ranks < scene.count(at(kSingleStripeLimits, "ranks")) || !run.is_parallel_job())
      return;
    if (length < scene.count(at(kSingleStripeLimits, "bytes"))) return;
    // A progressive layout has one stripe for the beginning and more for what lies behind.
    const Component* part = layout->widest(length);
    if (part == nullptr || part->stripes != 1) return;
    // Aggregators do the work of all: then the others wait in MPI-IO.
    const auto mpi = run.use(file, Layer::kMpiio);
    const Use& outer = mpi && mpi->slowest_seconds > use.slowest_seconds ? *mpi : use;
    // A target gives some hundred MiB/s; where few ranks are slower than that, it is not the target they wait for.
    constexpr double kTarget = 300.0 * 1024 * 1024;
    constexpr std::int64_t kFewRanks = 16;
    const double moving = outer.read.seconds + outer.write.seconds, ranks = real_of(use.ranks);
    const double served = use.ranks < kFewRanks ? std::min(moving, ranks * real_of(use.bytes()) / kTarget) : moving;
    offenders.add(
        file, outer, 0.5 * served,
        fmt::format("{} ranks move {} on one storage target", grouped(use.ranks), sized(real_of(use.bytes()))));
  });
  Finding finding;
  finding.title = fmt::format("shared by many ranks, stored on one target: {}", offenders.names());
  finding.formula =
      "half of the slowest rank's time of reading and writing, in MPI-IO where it goes through that: what a second "
      "stripe "
      "saves at best; of fewer than 16 ranks no more than the bytes take at 300 MiB/s";
  finding.least = 0, finding.most = 1.5 * offenders.seconds();
  conclude(offenders, std::move(finding), out);
}

}  // namespace

const Rule kSingleStripe = {
    "single-stripe",
    "a large shared file on a single Lustre stripe",
    "One storage target serves all ranks, however many there are; its bandwidth is the limit.",
    "lfs setstripe -c 4 (or -c -1 for very large files) on the directory before the file is "
    "made, a progressive layout (-E), or the hints striping_factor and striping_unit.",
    "half of the slowest rank's time of reading and writing: what a second stripe saves at best",
    look_for_single_stripe,
    kSingleStripeLimits};

}  // namespace trikal::analyze
