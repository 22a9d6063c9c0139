#pragma once
// The functions of MPI-IO that are watched, in the tables the imports are redirected by.

#include <span>

#include "capture/events/event.hpp"
#include "capture/interpose/imports.hpp"
#include "capture/mpi/call.hpp"
#include "modules/mpiio/capture.hpp"

namespace trikal::modules::mpiio {

// Each MPI_x with its PMPI_x. imports.hpp puts them together.
void file_wrappers(const capture::ImportUse& use) noexcept;
void blocking_wrappers(const capture::ImportUse& use) noexcept;
void begun_wrappers(const capture::ImportUse& use) noexcept;    // split and nonblocking
void request_wrappers(const capture::ImportUse& use) noexcept;  // waits and tests

// The file behind a handle, asked for before the call: when that is over, another thread may have closed the handle, and have
// been given the same one for another file. Null: not watched, or this call is not.
[[nodiscard]] inline MpiFile* held(capture::MpiHandle file) noexcept {
  if (!capture::sees_call<capture::MpiCalls>()) return nullptr;
  const capture::Inside inside;
  return handles.find(file);
}

// Which position a transfer begins at. That of the pointer that ranks share is known to nobody when the call is made.
enum class Pointer : std::uint8_t { kOwn, kShared };

// The file and the byte that a call is about. Asked before the call, which moves the pointer; the byte only where somebody wants
// to hear of it.
struct Held {
  MpiFile* file = nullptr;
  std::int64_t offset = capture::Event::kNoOffset;
};
[[nodiscard]] inline Held held_at(capture::MpiHandle file, std::int64_t offset) noexcept {
  MpiFile* record = held(file);
  if (record == nullptr || !capture::every_event_is_heard) return {record};
  const capture::Inside inside;
  return {record, capture::mpi.byte_at(file, offset)};
}
template <Pointer P>
[[nodiscard]] Held held_at_pointer(capture::MpiHandle file) noexcept {
  MpiFile* record = held(file);
  if (P == Pointer::kShared || record == nullptr || !capture::every_event_is_heard) return {record};
  const capture::Inside inside;
  return {record, capture::mpi.byte_at_pointer(file)};
}

// Bytes of a transfer that has succeeded. Not of another: MPI ends programs that ask for the size of what is no type.
template <class Count>
[[nodiscard]] std::int64_t bytes_of(Count count, capture::MpiHandle type) noexcept {
  return count > 0 ? std::int64_t{count} * capture::mpi.size_of(type) : 0;
}

}  // namespace trikal::modules::mpiio
