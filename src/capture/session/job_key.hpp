#pragma once
// Which MPI job a process belongs to: `trikal run` may watch several, whose ranks nobody could tell apart by number.

#include <cstdint>

#include "base/launcher.hpp"

namespace trikal::capture {

// The same for all ranks that a launcher started together on this node, another for those of MPI_Comm_spawn. 0: no
// launcher is known.
[[nodiscard]] std::uint64_t read_job_key(const LaunchedTask& task) noexcept;

}  // namespace trikal::capture
