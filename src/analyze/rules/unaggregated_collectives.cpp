#include <fmt/format.h>

#include <algorithm>

#include "analyze/rules/flows.hpp"
#include "analyze/rules/judge.hpp"

namespace trikal::analyze {
namespace {

constexpr Limit kUnaggregatedCollectivesLimits[] = {
    {"calls", 1000, "reads or writes of a file beneath collective ones, at least"},
    {"times", 16, "the collective calls of all ranks, at least"},
    {"bytes", 256.0 * 1024, "of such a read or write on average, at most"},
};

void look_for_unaggregated_collectives(const Scene& scene, std::vector<Finding>& out) {
  const Run& run = scene.run;
  Offenders offenders(run);
  std::int64_t collective = 0, pieces = 0;
  for_each_use(run, Layer::kMpiio, [&](const FileUse& file, const Use& mpi) {
    const auto posix = run.use(file, Layer::kPosix);
    if (!posix) return;
    for (const Direction& direction : {kReads, kWrites}) {
      const Flow &asked = mpi.*direction.flow, &done = *posix.*direction.flow;
      const std::int64_t calls = asked.collective + asked.split;
      // Where both are used, only what collective calls can be blamed for is.
      const double part = asked.calls > 0 ? std::min(1.0, real_of(calls) / real_of(asked.calls)) : 0;
      if (calls == 0 || done.calls < scene.count(at(kUnaggregatedCollectivesLimits, "calls"))) continue;
      if (real_of(done.calls) * part < scene[at(kUnaggregatedCollectivesLimits, "times")] * real_of(calls)) continue;
      if (done.mean_bytes() > scene[at(kUnaggregatedCollectivesLimits, "bytes")]) continue;
      // All ranks wait in the call until the last piece is done.
      const Flow& outer = asked.seconds > done.seconds ? asked : done;
      const double bytes = (scene.baseline.*direction.rate).seconds_for(done.bytes);
      offenders.add(file, asked.seconds > done.seconds ? mpi : *posix, (outer.seconds - bytes) * part,
                    fmt::format("{} collective calls became {} {} of {}", grouped(calls), grouped(done.calls),
                                direction.calls, sized(done.mean_bytes())));
      collective += calls, pieces += done.calls;
    }
  });
  Finding finding;
  finding.title = fmt::format("{} collective calls became {} reads and writes: {}", grouped(collective),
                              grouped(pieces), offenders.names());
  finding.formula = "time of the direction in the outer layer, less what its bytes take, on the slowest rank";
  conclude(offenders, std::move(finding), out);
}

}  // namespace

const Rule kUnaggregatedCollectives = {
    "unaggregated-collectives",
    "collective calls that still reach the file system in pieces",
    "Collective buffering was off or did not apply, so each rank writes its own small pieces: the calls are collective "
    "in name only.",
    "Switch collective buffering on: the hints romio_cb_write and romio_cb_read = enable (ROMIO: MPICH, Intel, Cray, "
    "older "
    "Open MPI), or in Open MPI's OMPIO --mca fcoll two_phase or vulcan and --mca io_ompio_grouping_option; give "
    "cb_buffer_size 16 MiB; describe the whole access in one call with a file view instead of many.",
    "time of the direction in the outer layer, less what its bytes take at the best rate of this run, on the slowest "
    "rank",
    look_for_unaggregated_collectives,
    kUnaggregatedCollectivesLimits};

}  // namespace trikal::analyze
