#pragma once
// `mpirun -np 4 trikal run -- app`, and `srun`, `flux run` and their like, start one `trikal run` for each rank. Those of
// one node belong together: their programs leave their maps in one directory, and whoever ends last writes the log.

#include <optional>
#include <string>

#include "base/launcher.hpp"
#include "gather/run_directory.hpp"

namespace trikal::gather {

// What launchers told this process.
[[nodiscard]] LaunchedTask own_task();
// Whether a launcher started us as one of several that belong together, or might have.
[[nodiscard]] bool is_launched_rank();

class RankGroup {
 public:
  RankGroup(RunDirectory directory, const LaunchedTask& task);

  [[nodiscard]] const RunDirectory& directory() const { return directory_; }
  // True for the last of this node's, once. Others have nothing left to do. Waits a little for ranks that the launcher has
  // not started yet.
  [[nodiscard]] bool leave();
  // Asked by the last: no rank of the job is on another node.
  [[nodiscard]] bool is_whole_job() const;
  // What tells its log from those of other nodes.
  [[nodiscard]] static std::string node();

 private:
  RunDirectory directory_;
  LaunchedTask task_;
  std::int64_t joined_ = 0;
};

// None: not started by a launcher that says how many ranks there are, or alone.
[[nodiscard]] std::optional<RankGroup> join_rank_group();

}  // namespace trikal::gather
