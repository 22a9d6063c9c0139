#pragma once
// The functions of MPI-IO that are watched, in the tables the imports are redirected by.

#include <span>

#include "capture/interpose/imports.hpp"
#include "capture/mpi/call.hpp"
#include "modules/mpiio/capture.hpp"

namespace trikal::modules::mpiio {

// Each MPI_x with its PMPI_x. imports.hpp puts them together.
[[nodiscard]] std::span<const capture::ImportPair> file_wrappers() noexcept;
[[nodiscard]] std::span<const capture::ImportPair> blocking_wrappers() noexcept;
[[nodiscard]] std::span<const capture::ImportPair> begun_wrappers() noexcept;    // split and nonblocking
[[nodiscard]] std::span<const capture::ImportPair> request_wrappers() noexcept;  // waits and tests

// The file behind a handle, asked for before the call: when that is over, another thread may have closed the handle, and have
// been given the same one for another file. Null: not watched, or this call is not.
[[nodiscard]] inline MpiFile* held(capture::MpiHandle file) noexcept {
  if (!capture::sees_call<capture::MpiCalls>()) return nullptr;
  const capture::Inside inside;
  return handles.find(file);
}

// Bytes of a transfer that has succeeded. Not of another: MPI ends programs that ask for the size of what is no type.
template <class Count>
[[nodiscard]] std::int64_t bytes_of(Count count, capture::MpiHandle type) noexcept {
  return count > 0 ? std::int64_t{count} * capture::mpi.size_of(type) : 0;
}

}  // namespace trikal::modules::mpiio
