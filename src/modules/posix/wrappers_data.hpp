#pragma once
// What reading and writing through a descriptor means, whichever wrapper it came through.

#include <sys/uio.h>

#include "capture/interpose/interposed.hpp"
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

// What a call that moves data works on, found before it: no more than has to be kept meanwhile.
struct Watched {
  PosixFile* file = nullptr;  // null: not watched
  capture::HeldOpen held;

  explicit operator bool() const noexcept { return file != nullptr; }
};

// Under the guard.
inline Watched watched(const capture::Held& held) noexcept {
  return held ? Watched{record_of(held), {held.open, held.generation}} : Watched{};
}

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
  return end_of_file(file, open.append.load(std::memory_order_relaxed) == capture::kAppends
                               ? open.offset.load(std::memory_order_relaxed)
                               : 0);
}

// At a position of the caller's: the descriptor's own does not move. With O_APPEND the kernel writes at the end all
// the same.
template <Noted note>
[[gnu::always_inline]] inline void at_offset(Watched on, TickInterval when, Outcome outcome, off_t offset) noexcept {
  if (outcome.moved < 0) [[unlikely]]
    return failed(*on.file);
  if (note == has_written && on.held.open->append.load(std::memory_order_relaxed) != 0) [[unlikely]]
    offset = appended_at(*on.file, *on.held.open);
  if (static_cast<std::size_t>(outcome.moved) < outcome.asked) [[unlikely]]
    fell_short(*on.file, kDirection<note>, outcome.moved);
  note(*on.file, when, {offset, outcome.moved, outcome.odd});
}

// Where the access began; the position is moved on.
template <Noted note>
[[gnu::always_inline]] inline std::int64_t moved_from(Watched on, std::int64_t bytes) noexcept {
  capture::OpenFile& open = *on.held.open;
  const bool is_alone = capture::session.descriptors.is_alone_with(open);
  if (!is_alone && !on.held.is_current()) [[unlikely]]
    return behind_last(*on.file, kDirection<note>);
  if (note == has_written && open.append.load(std::memory_order_relaxed) != 0) {
    open.offset.store(appended_at(*on.file, open), std::memory_order_relaxed);
    open.append.store(capture::kAppends, std::memory_order_relaxed);
  }
  return is_alone ? advance_alone(open, bytes) : advance(open, bytes);
}

// At the descriptor's position, which the kernel has just moved; O_APPEND first moved it to the end.
template <Noted note>
[[gnu::always_inline]] inline void at_position(Watched on, TickInterval when, Outcome outcome) noexcept {
  if (outcome.moved < 0) [[unlikely]]
    return failed(*on.file);
  const std::int64_t offset = moved_from<note>(on, outcome.moved);
  if (static_cast<std::size_t>(outcome.moved) < outcome.asked) [[unlikely]]
    fell_short(*on.file, kDirection<note>, outcome.moved);
  note(*on.file, when, {offset, outcome.moved, outcome.odd});
}

// A call on a descriptor whose record must be found first. Apart from on_data, which then has nothing to save on its way.
// `from`: who called the wrapper, which cannot be asked for in here.
template <class Wrapper, class Note, class... A>
[[gnu::noinline, gnu::cold]] auto on_unresolved(const void* from, int fd, Note note, A... args) noexcept {
  Watched on;
  if (const capture::Held held = capture::session.descriptors.hold(fd)) {
    if (capture::is_inside()) return capture::session.missed(), Wrapper::real()(args...);
    const capture::Inside inside;
    on = watched(held);
  }
  if (!on) return Wrapper::real()(args...);
  return Wrapper::call_running(
      [from, on, note](TickInterval when, auto result, A... a) noexcept {
        if (capture::keeps_callers) capture::caller = from;
        note(on, when, result, a...);
      },
      args...);
}

// Whose position a call is at: only where it is the descriptor's it has to be known which one that was.
enum class Position : bool { kOwn, kCallers };

// Runs `note(on, when, result, args...)` after calls that move data through a watched descriptor.
template <class Wrapper, Position At = Position::kOwn, class Note, class... A>
TRIKAL_INTO_WRAPPER auto on_data(int fd, Note note, A... args) noexcept {
  const capture::Held held = capture::session.descriptors.hold < At == Position::kOwn > (fd);
  if (held.open == nullptr) return Wrapper::real()(args...);
  if ((held.target & capture::kTargetFlags) != 0) [[unlikely]]
    return on_unresolved<Wrapper>(__builtin_return_address(0), fd, note, args...);
  const Watched on{reinterpret_cast<PosixFile*>(held.target), {held.open, held.generation}};
  return Wrapper::call_running(
      [on, note](TickInterval when, auto result, A... a) TRIKAL_INLINED { note(on, when, result, a...); }, args...);
}

}  // namespace trikal::modules::posix
