#pragma once
// The hints that a program gives MPI with a file, kept beside its records.

#include "capture/mpi/library.hpp"

namespace trikal::capture {

// Each hint of `info` once for the file. Called under the guard, with an info that is not MPI_INFO_NULL.
void note_hints(std::uint64_t file, MpiHandle info) noexcept;
void forget_hints() noexcept;  // in a forked child

}  // namespace trikal::capture
