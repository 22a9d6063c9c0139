#pragma once
// Chunks that would suit how an HDF5 dataset is accessed, worked out from its record.

#include <cstdint>
#include <string>
#include <vector>

#include "analyze/dataset/run.hpp"

namespace trikal::analyze {

struct ChunkAdvice {
  // Elements, the slowest-varying dimension first, as in H5Pset_chunk. No access: all was selected at once.
  std::vector<std::int64_t> now, then, access;
  double bytes = 0;                          // of a chunk as it should be
  double touched_now = 0, touched_then = 0;  // chunks that one access touches
};

// Nothing where the record does not tell the shape: of more than five dimensions, or of an old runtime.
[[nodiscard]] ChunkAdvice better_chunks(const Dataset& dataset);
// The same in words, for C and for Python. Empty where nothing is known.
[[nodiscard]] std::string chunk_fix(const Dataset& dataset);

}  // namespace trikal::analyze
