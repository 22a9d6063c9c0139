#include <fmt/format.h>

#include "analyze/rules/judge.hpp"

namespace trikal::analyze {
namespace {

constexpr Limit kLimits[] = {
    {"times", 1.5, "the mean of the ranks that move as much, at least"},
    {"seconds", 0.05, "beyond that mean, at least"},
};

void look(const Scene& scene, std::vector<Finding>& out) {
  const Run& run = scene.run;
  Offenders offenders(run);
  for_each_use(run, Layer::kPosix, [&](const FileUse& file, const Use& use) {
    if (use.ranks < 2 || !run.is_parallel_job()) return;
    // With collective buffering a few ranks do the work; the slowest is held against those, not against all.
    const double active = use.active_ranks();
    const double mean = use.seconds() / active, even = real_of(use.bytes()) / active;
    const double lost = use.slowest_seconds - mean;
    if (use.slowest_seconds < scene[at(kLimits, "times")] * mean || lost < scene[at(kLimits, "seconds")]) return;
    if (real_of(use.slowest_bytes) > 1.5 * even) return;  // it has more to do: uneven-shared-file's business
    offenders.add(
        file, one_rank(), lost,
        fmt::format("rank {} {} for {}, {} others {} on average", use.slowest_rank, timed(use.slowest_seconds),
                    sized(real_of(use.slowest_bytes)), grouped(whole(active) - 1), timed(mean)));
  });
  Finding finding;
  finding.title = fmt::format("one rank is far slower than others with as much to do: {}", offenders.names());
  finding.formula = "seconds of the slowest rank on the file, less the mean of the ranks that moved its bytes";
  conclude(offenders, std::move(finding), out);
}

}  // namespace

const Rule kStraggler = {
    "straggler",
    "a rank that takes far longer than others for as many bytes",
    "All wait for it at the next collective call or barrier. A slow node, a busy or broken storage target, or a lock "
    "it waits for are the usual reasons.",
    "Look which storage target and node it used (lfs getstripe, the node of the rank); spread the file over more "
    "targets; run again elsewhere to see whether the node or the target is to blame.",
    "seconds of the slowest rank on the file, less the mean of the ranks that moved its bytes",
    look,
    kLimits};

}  // namespace trikal::analyze
