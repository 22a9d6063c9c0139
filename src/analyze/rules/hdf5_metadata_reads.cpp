#include <fmt/format.h>

#include "analyze/rules/judge.hpp"

namespace trikal::analyze {
namespace {

constexpr Limit kHdf5MetadataReadsLimits[] = {
    {"calls", 100, "reads of at most 1 KiB by each rank, at least"},
    {"share", 0.5, "of the reads of the file, at least"},
    {"ranks", 0.5, "of the ranks move the bytes, at least"},
};

void look_for_hdf5_metadata_reads(const Scene& scene, std::vector<Finding>& out) {
  const Run& run = scene.run;
  Offenders offenders(run);
  for_each_use(run, Layer::kPosix, [&](const FileUse& file, const Use& use) {
    if (!file.is_parallel_hdf5 || use.ranks < 2) return;
    // Where one rank reads and tells the others, all is well.
    if (use.active_ranks() < scene[at(kHdf5MetadataReadsLimits, "ranks")] * real_of(use.ranks)) return;
    const std::int64_t tiny = use.read.sizes[0] + use.read.sizes[1];
    const double share = use.read.calls > 0 ? real_of(tiny) / real_of(use.read.calls) : 0;
    if (tiny < scene.count(at(kHdf5MetadataReadsLimits, "calls")) * use.ranks ||
        share < scene[at(kHdf5MetadataReadsLimits, "share")])
      return;
    offenders.add(file, use, use.read.seconds * share * (1 - 1 / real_of(use.ranks)),
                  fmt::format("{} reads of at most 1 KiB by {} ranks", grouped(tiny), grouped(use.ranks)));
  });
  Finding finding;
  finding.title = fmt::format("every rank reads HDF5's metadata for itself: {}", offenders.names());
  finding.formula = "time of reading for the share of reads of at most 1 KiB, times 1 - 1/ranks";
  conclude(offenders, std::move(finding), out);
}

}  // namespace

const Rule kHdf5MetadataReads = {
    "hdf5-metadata-reads",
    "HDF5 metadata read by every rank for itself",
    "Headers and indices are small, and all ranks need the same ones at the same time.",
    "H5Pset_all_coll_metadata_ops on the access lists of the file and of the datasets (HDF5 "
    "1.10 opens datasets by the latter alone); a metadata cache image or a paged file "
    "(H5Pset_file_space_strategy).",
    "time of reading the file for the share of reads of at most 1 KiB, times 1 - 1/ranks",
    look_for_hdf5_metadata_reads,
    kHdf5MetadataReadsLimits};

}  // namespace trikal::analyze
