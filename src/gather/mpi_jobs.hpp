#pragma once
// A tree of processes may hold several MPI jobs: one mpirun after the other, or what MPI_Comm_spawn started. Each
// becomes a log of its own.

#include <string_view>
#include <unordered_set>
#include <vector>

#include "gather/maps.hpp"

namespace trikal::gather {

struct TreeJob {
  std::vector<const MapFile*> files;  // in the order of their start
  std::unordered_set<const MapFile*> members;  // those that are ranks
  std::int64_t ranks = 0;             // of its MPI job; 0: it is none
  std::int64_t tasks = 0;  // that were launched together and do not use MPI; 0: none, or the whole tree is one
  bool spawned = false;  // by MPI_Comm_spawn
  std::int64_t launcher = 0;  // process id of the topmost mpirun above its ranks; 0: not seen
};

// At least one. Whoever belongs to no MPI job is in the first, unless it started, or was started by, ranks of another.
// A program that uses MPI without a launcher is a process like any other where there are MPI jobs beside it.
[[nodiscard]] std::vector<TreeJob> split_into_jobs(const std::vector<MapFile>& maps);

// How `other` is related to `job`: "spawned it", "spawned by it" or "same tree".
[[nodiscard]] std::string_view relation_of(const TreeJob& other, const TreeJob& job);

[[nodiscard]] bool started_before(const MapFile* a, const MapFile* b);

}  // namespace trikal::gather
