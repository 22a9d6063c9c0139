#include <fmt/format.h>

#include <algorithm>

#include "analyze/rules/flows.hpp"

namespace trikal::analyze {
namespace {

constexpr Limit kNoCollectivesLimits[] = {
    {"calls", 1000, "independent ones of a file, at least"},
    {"share", 0.05, "of its calls collective, at most"},
    {"bytes", 1024.0 * 1024, "of a call on average, at most"},
};

// Reads and writes are judged apart: a file may be written well and read badly.
void look_at(const Scene& scene, const Direction& direction, std::vector<Finding>& out) {
  const Rate& rate = scene.baseline.*direction.rate;
  Offenders offenders(scene.run);
  std::int64_t independent = 0;
  for_each_use(scene.run, Layer::kMpiio, [&](const FileUse& file, const Use& use) {
    const Flow& flow = use.*direction.flow;
    const double all = real_of(flow.calls + flow.split);
    if (flow.independent < scene.count(at(kNoCollectivesLimits, "calls")) || use.ranks < 2) return;
    if (real_of(flow.collective + flow.split) > scene[at(kNoCollectivesLimits, "share")] * all) return;
    if (flow.mean_bytes() > scene[at(kNoCollectivesLimits, "bytes")]) return;
    offenders.add(file, use, flow.seconds - rate.seconds_for(flow.bytes),
                  fmt::format("{} independent {} of {} by {} ranks", grouped(flow.independent), direction.calls,
                              sized(flow.mean_bytes()), grouped(use.ranks)));
    independent += flow.independent;
  });
  Finding finding;
  finding.title = fmt::format("{} independent MPI-IO {}, hardly any collective: {}", grouped(independent),
                              direction.calls, offenders.names());
  finding.formula =
      fmt::format("time of {}, less what the bytes take at {}, by rank", direction.gerund, rate_words(rate));
  conclude(offenders, std::move(finding), out);
}

void look_for_no_collectives(const Scene& scene, std::vector<Finding>& out) {
  look_at(scene, kReads, out);
  look_at(scene, kWrites, out);
}

}  // namespace

const Rule kNoCollectives = {
    "no-collectives",
    "MPI-IO with independent calls only",
    "Collective calls let the library join the ranks' small pieces into large, ordered accesses; independent ones "
    "cannot be joined.",
    "Use MPI_File_write_at_all and MPI_File_read_at_all where all ranks take part; for HDF5 "
    "H5Pset_dxpl_mpio(H5FD_MPIO_COLLECTIVE).",
    "time of the small independent calls, less what their bytes take at the best rate of this run",
    look_for_no_collectives,
    kNoCollectivesLimits};

}  // namespace trikal::analyze
