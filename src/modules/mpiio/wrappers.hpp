#pragma once
// The functions of MPI-IO that are watched, in the tables the imports are redirected by.

#include <span>

#include "capture/interpose/imports.hpp"
#include "capture/mpi/call.hpp"
#include "modules/mpiio/capture.hpp"

namespace trikal::modules::mpiio {

// Each MPI_x with its PMPI_x. modules/capture_list.cpp puts them together.
[[nodiscard]] std::span<const capture::ImportPair> file_wrappers() noexcept;
[[nodiscard]] std::span<const capture::ImportPair> blocking_wrappers() noexcept;
[[nodiscard]] std::span<const capture::ImportPair> begun_wrappers() noexcept;    // split and nonblocking
[[nodiscard]] std::span<const capture::ImportPair> request_wrappers() noexcept;  // waits and tests

}  // namespace trikal::modules::mpiio
