#pragma once
// What the process is within its MPI job.

#include <span>

#include "capture/mpi/call.hpp"

namespace trikal::capture {

// MPI_Init and its kin.
void job_wrappers(const ImportUse& use) noexcept;

// Looks at the library that was found; false if it is none that we know how to talk to.
[[nodiscard]] bool find_mpi() noexcept;

// Notes rank and number of ranks, if MPI knows them by now and they were not noted yet.
void note_mpi_rank() noexcept;

}  // namespace trikal::capture
