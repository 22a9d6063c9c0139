#include <fmt/format.h>

#include "analyze/rules/judge.hpp"

namespace trikal::analyze {
namespace {

constexpr Limit kImbalanceLimits[] = {
    {"times", 2, "the mean of all ranks, at least"},
    {"seconds", 0.05, "beyond the mean, at least"},
    {"work", 1.5, "bytes or calls, in those of the mean rank, at least"},
};

void look_for_imbalance(const Scene& scene, std::vector<Finding>& out) {
  const Run& run = scene.run;
  const auto far = scene[at(kImbalanceLimits, "times")];
  const auto worth = scene[at(kImbalanceLimits, "seconds")];
  if (!run.is_parallel_job()) return;
  const RankUse* slowest = nullptr;
  double sum = 0, bytes = 0, calls = 0;
  for (const RankUse& rank : run.ranks) {
    if (rank.rank < 0) continue;
    sum += rank.seconds(), bytes += real_of(rank.bytes()), calls += real_of(rank.calls);
    if (slowest == nullptr || rank.seconds() > slowest->seconds()) slowest = &rank;
  }
  if (slowest == nullptr) return;
  const double ranks = real_of(run.job->nprocs), mean = sum / ranks;
  const double lost = slowest->seconds() - mean;
  if (slowest->seconds() < far * mean || lost < worth) return;
  // One that takes longer for no more work has a slow node or disk: evening out would not help it.
  const double more = scene[at(kImbalanceLimits, "work")];
  if (real_of(slowest->bytes()) * ranks < more * bytes && real_of(slowest->calls) * ranks < more * calls) return;
  Finding finding;
  finding.title = fmt::format("rank {} spends {} in I/O, {:.1f} times the mean of {} ranks", slowest->rank,
                              timed(slowest->seconds()), slowest->seconds() / mean, grouped(run.job->nprocs));
  finding.evidence = {fmt::format("it moved {} in {} calls on {} files", sized(real_of(slowest->bytes())),
                                  grouped(slowest->calls), grouped(slowest->files))};
  finding.formula = fmt::format("{} of the slowest rank less {} on average", timed(slowest->seconds()), timed(mean));
  // What is measured cannot be more; less, if the others would wait for something else.
  finding.least = lost / 2, finding.most = lost;
  conclude(run, lost, std::move(finding), out);
}

}  // namespace

const Rule kImbalance = {
    "imbalance",
    "one rank does far more I/O than the others",
    "All ranks wait for the slowest at the next barrier.",
    "Spread the work evenly, or let a few ranks collect and write for their groups (collective MPI-IO, cb_nodes).",
    "seconds of the slowest rank in I/O, less the mean of all",
    look_for_imbalance,
    kImbalanceLimits};

}  // namespace trikal::analyze
