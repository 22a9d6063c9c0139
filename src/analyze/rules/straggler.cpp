#include <fmt/format.h>

#include "analyze/rules/judge.hpp"

namespace trikal::analyze {
namespace {

constexpr Limit kStragglerLimits[] = {
    {"times", 1.5, "the mean of the ranks that move as much, at least"},
    {"seconds", 0.05, "beyond that mean, at least"},
};
constexpr double kMoreWork = 1.5;  // times the mean: imbalance's or uneven-shared-file's business

// The slowest of ranks that have files of their own, beside those that move at least half as many bytes.
void look_at_ranks(const Scene& scene, std::vector<Finding>& out) {
  const Run& run = scene.run;
  const RankUse* slowest = nullptr;
  for (const RankUse& rank : run.ranks) {
    if (rank.rank >= 0 && (slowest == nullptr || rank.seconds() > slowest->seconds())) slowest = &rank;
  }
  if (slowest == nullptr || !run.is_parallel_job()) return;
  double peers = 0, seconds = 0, bytes = 0, calls = 0;
  for (const RankUse& rank : run.ranks) {
    if (rank.rank < 0 || 2 * real_of(rank.bytes()) < real_of(slowest->bytes())) continue;
    peers += 1, seconds += rank.seconds(), bytes += real_of(rank.bytes()), calls += real_of(rank.calls);
  }
  const double mean = seconds / peers, lost = slowest->seconds() - mean;
  if (slowest->seconds() < scene[at(kStragglerLimits, "times")] * mean || lost < scene[at(kStragglerLimits, "seconds")])
    return;
  const bool has_more_to_do =
      real_of(slowest->bytes()) * peers > kMoreWork * bytes || real_of(slowest->calls) * peers > kMoreWork * calls;
  if (has_more_to_do || peers < 2 || slowest->bytes() == 0) return;
  Finding finding;
  finding.title = fmt::format("rank {} is far slower than others with as much to do: {} for {}", slowest->rank,
                              timed(slowest->seconds()), sized(real_of(slowest->bytes())));
  finding.evidence = {
      fmt::format("{} ranks that move at least half of that need {} on average", grouped(whole(peers)), timed(mean))};
  finding.formula = "seconds of the slowest rank, less the mean of the ranks that moved as much";
  // What is measured cannot be more; less, if the others would wait for something else.
  finding.least = lost / 2, finding.most = lost;
  conclude(run, lost, std::move(finding), out);
}

void look_for_straggler(const Scene& scene, std::vector<Finding>& out) {
  const Run& run = scene.run;
  Offenders offenders(run);
  for_each_use(run, Layer::kPosix, [&](const FileUse& file, const Use& use) {
    if (use.ranks < 2 || !run.is_parallel_job()) return;
    // With collective buffering a few ranks do the work; the slowest is held against those, not against all.
    const double active = use.active_ranks();
    const double mean = use.seconds() / active, even = real_of(use.bytes()) / active;
    const double lost = use.slowest_seconds - mean;
    if (use.slowest_seconds < scene[at(kStragglerLimits, "times")] * mean ||
        lost < scene[at(kStragglerLimits, "seconds")])
      return;
    if (real_of(use.slowest_bytes) > kMoreWork * even) return;  // it has more to do: uneven-shared-file's business
    offenders.add(
        file, one_rank(), lost,
        fmt::format("rank {} {} for {}, {} others {} on average", use.slowest_rank, timed(use.slowest_seconds),
                    sized(real_of(use.slowest_bytes)), grouped(whole(active) - 1), timed(mean)));
  });
  if (offenders.empty()) return look_at_ranks(scene, out);
  Finding finding;
  finding.title = fmt::format("one rank is far slower than others with as much to do: {}", offenders.names());
  finding.formula = "seconds of the slowest rank on the file, less the mean of the ranks that moved its bytes";
  // What is measured cannot be more; less, if the others would wait for something else.
  finding.least = offenders.seconds() / 2, finding.most = offenders.seconds();
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
    look_for_straggler,
    kStragglerLimits};

}  // namespace trikal::analyze
