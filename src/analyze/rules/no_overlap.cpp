#include <fmt/format.h>

#include <algorithm>

#include "analyze/rules/bursts.hpp"
#include "analyze/rules/judge.hpp"

namespace trikal::analyze {
namespace {

constexpr Limit kNoOverlapLimits[] = {
    {"share", 0.05, "of the run in I/O, at least"},
    {"slices", 2, "of idle time between two bursts, at least"},
};

// A worker of Python's multiprocessing reads ahead for somebody else: its pauses are what it was started for.
bool is_loader(const Run& run) {
  return run.job->nprocs == 1 && run.job->exe.find("multiprocessing") != std::string::npos &&
         run.bytes_read() > run.bytes_written();
}

void look_for_no_overlap(const Scene& scene, std::vector<Finding>& out) {
  constexpr double kWorthwhile = 0.05;
  const Run& run = scene.run;
  // The processes of a script wait for each other, not for their own I/O.
  if (!run.is_parallel_job() && run.processes.size() > 1) return;
  if (is_loader(run)) return;
  if (run.io_seconds() < scene[at(kNoOverlapLimits, "share")] * run.seconds) return;
  const std::vector<Burst> bursts =
      find_bursts(run.timeline, static_cast<std::size_t>(scene.count(at(kNoOverlapLimits, "slices"))));
  double all = 0, lost = 0, idle = 0;
  for (const Burst& burst : bursts) all += burst.bytes;
  for (std::size_t i = 0; i + 1 < bursts.size(); ++i) {
    const double gap = run.timeline.width * static_cast<double>(bursts[i + 1].first - bursts[i].last - 1);
    lost += std::min(run.io_seconds() * bursts[i].bytes / all, gap);
    idle += gap;
  }
  lost = std::min(lost, run.seconds - run.io_seconds());  // a pause without bytes may still be a sync
  constexpr double kWorthwhileShare = 0.02;
  if (bursts.size() < 2 || lost < kWorthwhile || lost < kWorthwhileShare * run.seconds) return;
  Finding finding;
  finding.title = fmt::format("{} bursts of I/O with {} without any between them", bursts.size(), timed(idle));
  finding.evidence = {fmt::format("{} in I/O of {} altogether", timed(run.io_seconds()), timed(run.seconds))};
  finding.formula =
      "for every burst but the last: its share of the I/O time, as far as the pause behind it could hide it";
  conclude(run, lost, std::move(finding), out);
}

}  // namespace

const Rule kNoOverlap = {
    "no-overlap",
    "computing waits for I/O, and I/O for computing",
    "While bytes move nothing is computed, and the storage idles while the program computes.",
    "Keep two buffers: write one in the background (a thread, io_uring, aio, MPI_File_iwrite_at_all, the HDF5 async "
    "VOL) while the next is filled; read ahead in the same way. If a thread of the program does that already, nothing "
    "is lost.",
    "for every burst of I/O but the last: its share of the I/O time, as far as the pause behind it could hide it",
    look_for_no_overlap,
    kNoOverlapLimits};

}  // namespace trikal::analyze
