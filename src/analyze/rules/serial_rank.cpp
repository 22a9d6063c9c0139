#include <fmt/format.h>

#include "analyze/rules/judge.hpp"

namespace trikal::analyze {
namespace {

constexpr Limit kSerialRankLimits[] = {
    {"share", 0.95, "of all bytes by one rank, at least"},
    {"seconds", 0.05, "lost, at least"},
    {"bytes", 1024.0 * 1024, "of that rank, at least"},
};

void look_for_serial_rank(const Scene& scene, std::vector<Finding>& out) {
  const Run& run = scene.run;
  const auto nearly_all = scene[at(kSerialRankLimits, "share")];
  const auto worth = scene[at(kSerialRankLimits, "seconds")];
  const auto enough = scene.count(at(kSerialRankLimits, "bytes"));
  if (!run.is_parallel_job()) return;
  const double all = static_cast<double>(run.bytes_read() + run.bytes_written());
  for (const RankUse& rank : run.ranks) {
    const std::int64_t bytes = rank.bytes_read + rank.bytes_written;
    if (rank.rank < 0 || bytes < enough || static_cast<double>(bytes) < nearly_all * all) continue;
    const double lost = rank.seconds() * (1 - 1 / static_cast<double>(run.job->nprocs));
    if (lost < worth) return;
    Finding finding;
    finding.title = fmt::format("rank {} moves {} of all {}, {} others wait", rank.rank,
                                sized(static_cast<double>(bytes)), sized(all), grouped(run.job->nprocs - 1));
    finding.formula = fmt::format("{} of that rank, times 1 - 1/{}", timed(rank.seconds()), run.job->nprocs);
    finding.least = lost / 2, finding.most = lost;
    conclude(run, lost, std::move(finding), out);
    return;
  }
}

}  // namespace

const Rule kSerialRank = {
    "serial-rank",
    "one rank does all the reading or writing",
    "The others wait, and one process cannot fill a parallel file system.",
    "Let all ranks write their part of one file (MPI_File_write_at_all, parallel HDF5), or several writers a node.",
    "time of the rank in I/O, less what it were if all ranks shared it",
    look_for_serial_rank,
    kSerialRankLimits};

}  // namespace trikal::analyze
