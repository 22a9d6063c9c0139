#include <fmt/format.h>

#include "analyze/rules/judge.hpp"

namespace trikal::analyze {
namespace {

constexpr Limit kUnevenSharedFileLimits[] = {
    {"share", 0.5, "of the ranks move the bytes, at most"},
    {"seconds", 0.05, "beyond the mean of all ranks, at least"},
};

void look_for_uneven_shared_file(const Scene& scene, std::vector<Finding>& out) {
  const Run& run = scene.run;
  Offenders offenders(run);
  const auto look = [&](const FileUse& file, const Use& use) {
    if (use.ranks < 2 || use.bytes() == 0 || !run.is_parallel_job()) return;
    const auto mpi = run.use(file, Layer::kMpiio);
    if (mpi && mpi->collective() > 0) return;  // aggregators are meant to be few
    const double active = use.active_ranks(), mean = use.seconds() / real_of(use.ranks);
    const double lost = use.slowest_seconds - mean;
    if (active > scene[at(kUnevenSharedFileLimits, "share")] * real_of(use.ranks) ||
        lost < scene[at(kUnevenSharedFileLimits, "seconds")])
      return;
    offenders.add(file, one_rank(), lost,
                  fmt::format("about {:.0f} of {} ranks move its {}; rank {} takes {}, all {} on average", active,
                              grouped(use.ranks), sized(real_of(use.bytes())), use.slowest_rank,
                              timed(use.slowest_seconds), timed(mean)));
  };
  for_each_use(run, Layer::kPosix, look);
  for_each_use(run, Layer::kStdio, look);
  Finding finding;
  finding.title = fmt::format("a shared file is the work of few ranks: {}", offenders.names());
  finding.formula = "seconds of the slowest rank on the file, less the mean of all that have it open";
  // What is measured cannot be more; less, if the others would wait for something else.
  finding.least = offenders.seconds() / 2, finding.most = offenders.seconds();
  conclude(offenders, std::move(finding), out);
}

}  // namespace

const Rule kUnevenSharedFile = {
    "uneven-shared-file",
    "a shared file that only a few ranks read or write",
    "The ranks with all the bytes are the ones the others wait for.",
    "Give every rank its part, or use collective calls and let the MPI library choose who writes (cb_nodes).",
    "seconds of the slowest rank on the file, less the mean of all that have it open",
    look_for_uneven_shared_file,
    kUnevenSharedFileLimits};

}  // namespace trikal::analyze
