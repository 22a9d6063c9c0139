#include <fmt/format.h>

#include <algorithm>

#include "analyze/rules/judge.hpp"

namespace trikal::analyze {
namespace {

constexpr Limit kTimeAbovePosixLimits[] = {
    {"times", 1.5, "the time of all ranks in POSIX, at least"},
    {"seconds", 0.05, "above POSIX on the slowest rank, at least"},
    {"share", 0.05, "of the run, at least"},
};

std::string_view cause_of(const Use& mpi, bool on_network) {
  if (mpi.collective() > 0)
    return "Ranks wait in collective calls for the slowest aggregator and for ranks that come late, and exchange data: "
           "even "
           "out what they do before the call, set cb_nodes to the number of storage targets and cb_buffer_size to 16 "
           "MiB or more, and look at the aggregators (few-aggregators, straggler)";
  if (on_network)
    return "On a network file system ROMIO locks the file around every access: write to a parallel file system, or "
           "with few "
           "collective calls, or through few ranks; the hints romio_ds_write and romio_ds_read = disable save the "
           "locks of data sieving";
  return "Independent calls that take longer than the reads and writes inside them wait for locks, for other ranks, or "
         "pack "
         "datatypes: use contiguous memory types, the hint romio_ds_write = disable, and collective calls";
}

void look_for_time_above_posix(const Scene& scene, std::vector<Finding>& out) {
  const Run& run = scene.run;
  constexpr double kHalf = 0.5;
  Offenders offenders(run);
  double above = 0;
  std::string_view cause;
  for_each_use(run, Layer::kMpiio, [&](const FileUse& file, const Use& mpi) {
    const auto posix = run.use(file, Layer::kPosix);
    if (!posix || mpi.calls() == 0) return;
    // Ranks that let others work wait for those: the slowest one's time in POSIX is not lost to MPI-IO.
    const double inner =
        std::max(posix->slowest_seconds, posix->seconds() / real_of(std::max<std::int64_t>(1, mpi.ranks)));
    // Opening and closing are collective, too, and what ranks wait for there is no reading or writing.
    const double moving = mpi.slowest_seconds * (mpi.read.seconds + mpi.write.seconds) / std::max(mpi.seconds(), 1e-12);
    const double lost = moving - inner;
    if (lost < scene[at(kTimeAbovePosixLimits, "seconds")] ||
        lost < scene[at(kTimeAbovePosixLimits, "share")] * run.seconds)
      return;
    if (mpi.seconds() < scene[at(kTimeAbovePosixLimits, "times")] * posix->seconds()) return;
    const log::Mount* mount = run.job->mount_of(file.name);
    const bool on_network = mount != nullptr && (mount->type.starts_with("nfs") || mount->type == "panfs");
    if (lost > above) cause = cause_of(mpi, on_network);
    above = std::max(above, lost);
    offenders.add(file, one_rank(), kHalf * lost,
                  fmt::format("the slowest rank reads and writes for {} in MPI-IO, at most {} of that in POSIX",
                              timed(moving), timed(inner)));
  });
  if (offenders.empty()) return;
  Finding finding;
  finding.title = fmt::format("MPI-IO takes {} more than its reads and writes: {}", timed(above), offenders.names());
  finding.formula =
      "half of the slowest rank's time in MPI-IO beyond the slowest rank's in POSIX: how much of it is "
      "waiting for late ranks is not recorded";
  finding.fix = cause;
  const double likely = offenders.seconds();
  finding.least = 0.1 * likely, finding.most = 2 * likely;
  conclude(offenders, std::move(finding), out);
}

}  // namespace

const Rule kTimeAbovePosix = {
    "time-above-posix",
    "time in MPI-IO that no read or write of the file system explains",
    "The file system is not what takes the time: locks, waiting for other ranks, data that is exchanged or packed do.",
    "Collective calls: even out what ranks do before the call, cb_nodes as many as storage targets, cb_buffer_size of "
    "16 MiB. "
    "Independent ones: hints romio_ds_write and romio_ds_read = disable, a file system without locks around each "
    "access.",
    "half of the slowest rank's time in MPI-IO beyond that in POSIX",
    look_for_time_above_posix,
    kTimeAbovePosixLimits};

}  // namespace trikal::analyze
