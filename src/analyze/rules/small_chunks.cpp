#include <fmt/format.h>

#include "analyze/rules/chunk_advice.hpp"
#include "analyze/rules/judge.hpp"

namespace trikal::analyze {
namespace {

constexpr Limit kSmallChunksLimits[] = {
    {"bytes", 16.0 * 1024, "of a chunk, at most"},
    {"chunks", 100, "moved, at least"},
};

void look_for_small_chunks(const Scene& scene, std::vector<Finding>& out) {
  const Run& run = scene.run;
  Offenders offenders(run);
  const Dataset* worst = nullptr;
  double most = 0;
  for (const Dataset& dataset : single_datasets(run)) {
    if (dataset.chunk_bytes <= 0 || dataset.chunk_bytes > scene.count(at(kSmallChunksLimits, "bytes"))) continue;
    const double chunks = real_of(dataset.use.bytes()) / real_of(dataset.chunk_bytes);
    if (chunks < scene[at(kSmallChunksLimits, "chunks")]) continue;
    const double lost = dataset.use.read.seconds + dataset.use.write.seconds - scene.baseline.seconds_for(dataset.use);
    if (worst == nullptr || lost > most) worst = &dataset, most = lost;
    offenders.add(
        {.id = dataset.id, .name = dataset.name}, dataset.use, lost,
        fmt::format("{} in chunks of {}", sized(real_of(dataset.use.bytes())), sized(real_of(dataset.chunk_bytes))));
  }
  Finding finding;
  finding.title = fmt::format("HDF5 data in tiny chunks: {}", offenders.names());
  finding.formula = "time of reading and writing the datasets, less what their bytes take at the best rate of this run";
  if (worst != nullptr) finding.fix = chunk_fix(*worst);
  conclude(offenders, std::move(finding), out, Bound::kRun);  // HDF5 takes longer than what it calls
}

}  // namespace

const Rule kSmallChunks = {
    "small-chunks",
    "HDF5 datasets with tiny chunks",
    "Every chunk is found in an index, filtered and moved on its own; the index grows larger than the data.",
    "Choose chunks of 256 KiB to 4 MiB in the shape of the accesses (H5Pset_chunk), and a chunk cache that holds a row "
    "of them (H5Pset_chunk_cache).",
    "time of reading and writing the datasets, less what their bytes take at the best rate of this run",
    look_for_small_chunks,
    kSmallChunksLimits};

}  // namespace trikal::analyze
