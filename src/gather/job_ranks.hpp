#pragma once
// Which rank of the log each process of a job is. A process may be several programs one after the other, each with a map;
// what it starts belongs to its rank, where a launcher or MPI gave it one.

#include <unordered_map>
#include <vector>

#include "gather/mpi_jobs.hpp"
#include "log/crash/to_log.hpp"

namespace trikal::gather {

struct JobRanks {
  std::vector<log::crash::Process> processes;  // maps with I/O; ascending by rank where ranks were given
  std::unordered_map<const MapFile*, std::int64_t> numbers;  // of these, and of ranks that did no I/O
  std::int64_t nprocs = 1;  // ranks of the job; without any, processes with I/O
  std::size_t all = 0, with_io = 0;  // processes

  // -1: none.
  [[nodiscard]] std::int64_t of(const MapFile* file) const {
    const auto found = numbers.find(file);
    return found == numbers.end() ? -1 : found->second;
  }
};

[[nodiscard]] JobRanks choose_ranks(const TreeJob& job, double job_start);

}  // namespace trikal::gather
