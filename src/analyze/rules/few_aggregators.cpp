#include <fmt/format.h>

#include <algorithm>

#include "analyze/rules/judge.hpp"

namespace trikal::analyze {
namespace {

constexpr Limit kFewAggregatorsLimits[] = {
    {"share", 0.5, "of the stripes have an aggregator, at most"},
    {"ranks", 16, "of the job, at least"},
};

void look_for_few_aggregators(const Scene& scene, std::vector<Finding>& out) {
  const Run& run = scene.run;
  if (run.job->nprocs < scene.count(at(kFewAggregatorsLimits, "ranks"))) return;
  Offenders offenders(run);
  for_each_use(run, Layer::kPosix, [&](const FileUse& file, const Use& use) {
    const auto mpi = run.use(file, Layer::kMpiio);
    if (!mpi || mpi->collective() == 0 || use.bytes() == 0) return;
    const Layout* layout = run.layout(file);
    const Component* part = layout != nullptr ? layout->widest(std::max(use.read.end, use.write.end)) : nullptr;
    // Without a layout only a single aggregator is certain to be too few.
    const double targets = part != nullptr ? real_of(part->stripes) : 2, active = use.active_ranks();
    if (active > std::max(1.0, scene[at(kFewAggregatorsLimits, "share")] * targets) + 0.5 || targets < 2) return;
    offenders.add(file, one_rank(), use.slowest_seconds * (1 - active / targets),
                  fmt::format("{:.0f} of {} ranks do the I/O of {} collective calls on {} stripes", active,
                              grouped(run.job->nprocs), grouped(mpi->collective()),
                              part != nullptr ? grouped(part->stripes) : "unknown"));
  });
  Finding finding;
  finding.title = fmt::format("fewer aggregators than storage targets: {}", offenders.names());
  finding.formula = "seconds of the slowest aggregator, times 1 - aggregators / stripes (2 where they are unknown)";
  conclude(offenders, std::move(finding), out);
}

}  // namespace

const Rule kFewAggregators = {
    "few-aggregators",
    "collective I/O through too few aggregators",
    "All bytes of a collective call pass through the aggregators; with fewer of them than storage targets some targets "
    "idle.",
    "Set the hint cb_nodes (or cray_cb_nodes_multiplier) to the stripe count or a multiple of it; check that MPI_Info "
    "reaches MPI_File_open.",
    "seconds of the slowest aggregator on the file, times 1 - aggregators / stripes (2 where they are unknown)",
    look_for_few_aggregators,
    kFewAggregatorsLimits};

}  // namespace trikal::analyze
