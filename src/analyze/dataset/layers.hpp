#pragma once
// From a record of POSIX, STDIO or MPI-IO to the use it tells of.

#include "analyze/dataset/run.hpp"

namespace trikal::analyze {

[[nodiscard]] const ModuleSchema& schema_of(Layer layer);

// What one record says; its ranks are `nprocs` where it stands for all.
[[nodiscard]] Use use_in(Layer layer, const std::byte* record, std::int64_t nprocs);

// The same of an HDF5 dataset.
[[nodiscard]] Use dataset_use(const std::byte* record, std::int64_t nprocs);

// Another rank's use of the same file.
void add_use(Use& sum, const Use& one);

}  // namespace trikal::analyze
