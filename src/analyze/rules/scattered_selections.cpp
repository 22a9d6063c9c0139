#include <fmt/format.h>

#include <algorithm>

#include "analyze/rules/judge.hpp"

namespace trikal::analyze {
namespace {

constexpr Limit kScatteredSelectionsLimits[] = {
    {"calls", 1000, "accesses by points or irregular hyperslabs, at least"},
};

void look_for_scattered_selections(const Scene& scene, std::vector<Finding>& out) {
  const Run& run = scene.run;
  Offenders offenders(run);
  for (const Dataset& dataset : single_datasets(run)) {
    const Use& use = dataset.use;
    if (dataset.scattered < scene.count(at(kScatteredSelectionsLimits, "calls"))) continue;
    const double share = std::min(1.0, real_of(dataset.scattered) / real_of(std::max<std::int64_t>(1, use.calls())));
    offenders.add({.id = dataset.id, .name = dataset.name}, use,
                  share * (use.read.seconds + use.write.seconds - scene.baseline.seconds_for(use)),
                  fmt::format("{} of {} accesses", grouped(dataset.scattered), grouped(use.calls())));
  }
  Finding finding;
  finding.title = fmt::format("HDF5 accesses by points or irregular selections: {}", offenders.names());
  finding.formula = "time beyond what the bytes take at the best rate of this run, for the share of such accesses";
  conclude(offenders, std::move(finding), out, Bound::kRun);  // HDF5 takes longer than what it calls
}

}  // namespace

const Rule kScatteredSelections = {
    "scattered-selections",
    "HDF5 accesses by points or irregular selections",
    "HDF5 goes through such a selection element by element, and collective transfers fall back to independent ones.",
    "Read the enclosing regular hyperslab and pick in memory, or order the data so that selections become regular.",
    "time of the datasets beyond what their bytes take, for the share of such accesses",
    look_for_scattered_selections,
    kScatteredSelectionsLimits};

}  // namespace trikal::analyze
