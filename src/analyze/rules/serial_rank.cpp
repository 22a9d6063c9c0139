#include <fmt/format.h>

#include "analyze/rules/judge.hpp"

namespace trikal::analyze {
namespace {

void look(const Run& run, const Yardstick& /*yardstick*/, const Rule& /*rule*/, std::vector<Finding>& out) {
  constexpr double kNearlyAll = 0.95, kWorth = 0.05;
  constexpr std::int64_t kEnough = 1024 * 1024;
  if (!run.is_parallel_job()) return;
  const double all = static_cast<double>(run.bytes_read() + run.bytes_written());
  for (const RankUse& rank : run.ranks) {
    const std::int64_t bytes = rank.bytes_read + rank.bytes_written;
    if (rank.rank < 0 || bytes < kEnough || static_cast<double>(bytes) < kNearlyAll * all) continue;
    const double lost = rank.seconds() * (1 - 1 / static_cast<double>(run.job->nprocs));
    if (lost < kWorth) return;
    Finding finding;
    finding.title = fmt::format("rank {} moves {} of all {}, {} others wait", rank.rank,
                                sized(static_cast<double>(bytes)), sized(all), grouped(run.job->nprocs - 1));
    finding.formula = fmt::format("{} of that rank, times 1 - 1/{}", timed(rank.seconds()), run.job->nprocs);
    finding.seconds = lost;
    finding.severity = severity_of(lost, run);
    out.push_back(std::move(finding));
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
    look};

}  // namespace trikal::analyze
