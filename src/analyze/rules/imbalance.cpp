#include <fmt/format.h>

#include "analyze/rules/judge.hpp"

namespace trikal::analyze {
namespace {

constexpr Limit kLimits[] = {
    {"times", 2, "the mean of all ranks, at least"},
    {"seconds", 0.05, "beyond the mean, at least"},
};

void look(const Scene& scene, std::vector<Finding>& out) {
  const Run& run = scene.run;
  const auto far = scene[at(kLimits, "times")];
  const auto worth = scene[at(kLimits, "seconds")];
  if (!run.is_parallel_job()) return;
  const RankUse* slowest = nullptr;
  double sum = 0;
  for (const RankUse& rank : run.ranks) {
    if (rank.rank < 0) continue;
    sum += rank.seconds();
    if (slowest == nullptr || rank.seconds() > slowest->seconds()) slowest = &rank;
  }
  if (slowest == nullptr) return;
  const double mean = sum / static_cast<double>(run.job->nprocs);
  const double lost = slowest->seconds() - mean;
  if (slowest->seconds() < far * mean || lost < worth) return;
  Finding finding;
  finding.title = fmt::format("rank {} spends {} in I/O, {:.1f} times the mean of {} ranks", slowest->rank,
                              timed(slowest->seconds()), slowest->seconds() / mean, grouped(run.job->nprocs));
  finding.evidence = {fmt::format("it moved {} in {} calls on {} files",
                                  sized(static_cast<double>(slowest->bytes_read + slowest->bytes_written)),
                                  grouped(slowest->calls), grouped(slowest->files))};
  finding.formula = fmt::format("{} of the slowest rank less {} on average", timed(slowest->seconds()), timed(mean));
  conclude(run, lost, std::move(finding), out);
}

}  // namespace

const Rule kImbalance = {
    "imbalance",
    "one rank does far more I/O than the others",
    "All ranks wait for the slowest at the next barrier.",
    "Spread the work evenly, or let a few ranks collect and write for their groups (collective MPI-IO, cb_nodes).",
    "seconds of the slowest rank in I/O, less the mean of all",
    look,
    kLimits};

}  // namespace trikal::analyze
