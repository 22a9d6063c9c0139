#pragma once
// What reading and writing through a descriptor means, whichever wrapper it came through.

#include <sys/uio.h>

#include "modules/posix/capture.hpp"

namespace trikal::modules::posix {

inline bool misaligned(const void* buffer) noexcept {
  const std::uint64_t alignment = capture::session.config.memory_alignment;
  const auto address = reinterpret_cast<std::uintptr_t>(buffer);
  if ((alignment & (alignment - 1)) == 0) [[likely]]
    return (address & (alignment - 1)) != 0;
  return address % alignment != 0;
}
using Noted = void (*)(PosixFile&, TickInterval, const Access&) noexcept;

// A call that returned `moved` of `asked` bytes.
struct Outcome {
  ssize_t moved;
  std::size_t asked;
  bool odd;  // from or to memory that is not aligned
};

// Only of a call that succeeded is it known that the vectors can be read.
inline Outcome outcome_of(ssize_t moved, const iovec* vectors, int count) noexcept {
  Outcome outcome{moved, 0, false};
  for (int i = 0; moved >= 0 && i < count; ++i) {
    outcome.asked += vectors[i].iov_len;
    outcome.odd = outcome.odd || misaligned(vectors[i].iov_base);
  }
  return outcome;
}

// Noting comes last in both: it is jumped to.
template <Noted note>
inline constexpr Direction kDirection = note == has_read ? Direction::kRead : Direction::kWrite;

// Where an append through this descriptor has gone.
inline std::int64_t appended_at(PosixFile& file, const capture::OpenFile& open) noexcept {
  return end_of_file(file, open.append == capture::kAppends ? open.offset.load(std::memory_order_relaxed) : 0);
}

// At a position of the caller's: the descriptor's own does not move. With O_APPEND the kernel writes at the end all
// the same.
template <Noted note>
[[gnu::always_inline]] inline void at_offset(capture::Descriptor& descriptor, TickInterval when, const Outcome& outcome,
                                             off_t offset) noexcept {
  if (outcome.moved < 0) [[unlikely]]
    return failed(descriptor);
  PosixFile* file = record_of(descriptor);
  if (file == nullptr) return;
  if (note == has_written && descriptor.open->append != 0) [[unlikely]]
    offset = appended_at(*file, *descriptor.open);
  if (static_cast<std::size_t>(outcome.moved) < outcome.asked) [[unlikely]]
    fell_short(descriptor, kDirection<note>, outcome.moved);
  note(*file, when, {offset, outcome.moved, outcome.odd});
}

// At the descriptor's position, which the kernel has just moved; O_APPEND first moved it to the end.
template <Noted note>
[[gnu::always_inline]] inline void at_position(capture::Descriptor& descriptor, TickInterval when,
                                               const Outcome& outcome) noexcept {
  if (outcome.moved < 0) [[unlikely]]
    return failed(descriptor);
  capture::OpenFile* open = descriptor.open;
  PosixFile* file = record_of(descriptor);
  if (file == nullptr || open == nullptr) return;
  if (note == has_written && open->append != 0) {
    open->offset.store(appended_at(*file, *open), std::memory_order_relaxed);
    open->append = capture::kAppends;
  }
  const std::int64_t offset = capture::session.descriptors.advance(descriptor, outcome.moved);
  if (static_cast<std::size_t>(outcome.moved) < outcome.asked) [[unlikely]]
    fell_short(descriptor, kDirection<note>, outcome.moved);
  note(*file, when, {offset, outcome.moved, outcome.odd});
}

}  // namespace trikal::modules::posix
