#pragma once
// `mpirun -np 4 trikal run -- app` starts one `trikal run` for each rank. Those of one node belong together: their
// programs leave their maps in one directory, and whoever ends last writes the log.

#include <optional>

#include "gather/run_directory.hpp"

namespace trikal::gather {

struct RankGroup {
  RunDirectory directory;
  int here = 0;      // ranks on this node
  int everywhere = 0;  // of the job

  [[nodiscard]] bool is_whole_job() const { return here >= everywhere; }
  // True for the last of this node's, once. Others have nothing left to do.
  [[nodiscard]] bool leave() const;
};

// Whether a launcher started us as one of several that belong together, or might have.
[[nodiscard]] bool is_launched_rank();

// None: not started by a launcher that says how many ranks there are, or alone.
[[nodiscard]] std::optional<RankGroup> join_rank_group();

}  // namespace trikal::gather
