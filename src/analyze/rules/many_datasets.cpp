#include <fmt/format.h>

#include "analyze/rules/judge.hpp"

namespace trikal::analyze {
namespace {

constexpr Limit kManyDatasetsLimits[] = {
    {"datasets", 1000, "of the run, at least"},
    {"bytes", 64.0 * 1024, "of a dataset on average, at most"},
};

void look_for_many_datasets(const Scene& scene, std::vector<Finding>& out) {
  const Run& run = scene.run;
  auto datasets = single_datasets(run);
  const auto count = static_cast<std::int64_t>(std::ranges::distance(datasets));
  if (count < scene.count(at(kManyDatasetsLimits, "datasets"))) return;
  Offenders offenders(run);
  double bytes = 0;
  for (const Dataset& dataset : datasets) {
    bytes += real_of(dataset.use.bytes());
    offenders.add({.id = dataset.id, .name = dataset.name}, dataset.use, dataset.use.meta_seconds,
                  fmt::format("{} opens", grouped(dataset.use.opens)));
  }
  if (bytes / real_of(count) > scene[at(kManyDatasetsLimits, "bytes")]) return;
  Finding finding;
  finding.title = fmt::format("{} HDF5 datasets of {} on average", grouped(count), sized(bytes / real_of(count)));
  finding.formula = "time of making, opening and closing the datasets";
  conclude(offenders, std::move(finding), out, Bound::kRun);  // HDF5 takes longer than what it calls
}

}  // namespace

const Rule kManyDatasets = {"many-datasets",
                            "thousands of small HDF5 datasets",
                            "Each dataset has a header, an entry in a group and its own allocation; with MPI all ranks "
                            "take part in making each.",
                            "Make one dataset with another dimension instead of one for each step or particle; put "
                            "small values into attributes or one compound dataset.",
                            "time of making, opening and closing the datasets",
                            look_for_many_datasets,
                            kManyDatasetsLimits};

}  // namespace trikal::analyze
