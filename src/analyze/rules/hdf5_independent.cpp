#include <fmt/format.h>

#include <algorithm>

#include "analyze/rules/judge.hpp"

namespace trikal::analyze {
namespace {

constexpr Limit kHdf5IndependentLimits[] = {
    {"calls", 1000, "reads and writes of a dataset, at least"},
    {"bytes", 1024.0 * 1024, "of a call on average, at most"},
};

void look_for_hdf5_independent(const Scene& scene, std::vector<Finding>& out) {
  const Run& run = scene.run;
  Offenders offenders(run);
  auto files = single_files(run);
  for (const Dataset& dataset : single_datasets(run)) {
    const Use& use = dataset.use;
    const auto file = std::ranges::find(files, dataset.file, &FileUse::id);
    if (dataset.collective || file == files.end() || !file->is_parallel_hdf5 || use.ranks < 2) continue;
    if (use.calls() < scene.count(at(kHdf5IndependentLimits, "calls"))) continue;
    if (real_of(use.bytes()) > scene[at(kHdf5IndependentLimits, "bytes")] * real_of(use.calls())) continue;
    offenders.add({.id = dataset.id, .name = dataset.name}, use,
                  use.read.seconds + use.write.seconds - scene.baseline.seconds_for(use),
                  fmt::format("{} independent calls by {} ranks", grouped(use.calls()), grouped(use.ranks)));
  }
  Finding finding;
  finding.title = fmt::format("parallel HDF5 with independent transfers: {}", offenders.names());
  finding.formula = "time of reading and writing, less what the bytes take at the best rate of this run, by rank";
  conclude(offenders, std::move(finding), out, Bound::kRun);  // HDF5 takes longer than what it calls
}

}  // namespace

const Rule kHdf5Independent = {
    "hdf5-independent",
    "parallel HDF5 that transfers independently",
    "Each rank's small pieces go to the file system one by one; collective transfers join them.",
    "H5Pset_dxpl_mpio(dxpl, H5FD_MPIO_COLLECTIVE) for every H5Dwrite and H5Dread that all ranks make.",
    "time of reading and writing the datasets, less what their bytes take at the best rate of this run",
    look_for_hdf5_independent,
    kHdf5IndependentLimits};

}  // namespace trikal::analyze
