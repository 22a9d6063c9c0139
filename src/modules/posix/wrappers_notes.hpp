#pragma once
// What calls on descriptors and names mean, for wrappers of libc and for syscall(), which goes round them.
// All of them run under the guard, after the call, with what its descriptors stood for before it.

#include <fcntl.h>
#include <sys/stat.h>

#include "capture/interpose/interposed.hpp"
#include "modules/posix/capture.hpp"

namespace trikal::modules::posix {

void note_open(Span when, int fd, int directory, const char* path, int flags, mode_t mode) noexcept;
// What was held when the number was about to be closed. A descriptor of a stream, or one that was inherited, counts only
// if it was used as one.
void note_close(Span when, capture::Closed closed) noexcept;
// `source` may not be watched while what the duplicate replaces was.
void note_duplicate(Span when, const capture::Held& source, int fd, int duplicate) noexcept;
void note_seek(Span when, const capture::Held& held, off_t at) noexcept;
void note_sync(Span when, capture::HeldTarget held, int result, bool data_only) noexcept;
void note_rename(Span when, int result, int from_directory, const char* from, int to_directory,
                 const char* to) noexcept;
void note_link(Span when, int result, int from_directory, const char* from, int to_directory, const char* to) noexcept;
// Each side may be one that is not watched; its position may be null: the descriptor's own.
struct CopySide {
  const capture::Held& held;
  const off64_t* at;
};
void note_copy(TickInterval when, ssize_t moved, const CopySide& in, const CopySide& out) noexcept;
// stat of a path, or of a descriptor where the path is empty. `mode` is valid where the result is 0.
void note_stat(Span when, int result, int directory, const char* path, mode_t mode) noexcept;
void note_descriptor_stat(Span when, int result, capture::HeldTarget held, mode_t mode) noexcept;

// One more of an extra counter, on a path or on a descriptor.
void note_on_path(Span when, int result, int directory, const char* path, std::size_t slot) noexcept;
void note_on_descriptor(Span when, int result, capture::HeldTarget held, std::size_t slot) noexcept;
// truncate and ftruncate: appends go to the new end.
void note_cut(Span when, int result, int directory, const char* path, off_t length) noexcept;
void note_cut(Span when, int result, capture::HeldTarget held, off_t length) noexcept;

consteval std::size_t extra(std::string_view name) { return slot_of(kExtraCounters, name); }

// A call on a path that only an extra counter counts.
template <class Wrapper, std::size_t Slot, class... A>
TRIKAL_INTO_WRAPPER auto on_path(int directory, const char* path, A... args) noexcept {
  return Wrapper::call(
      [directory, path](Span when, auto result, A...) noexcept {
        note_on_path(when, static_cast<int>(result), directory, path, Slot);
      },
      args...);
}
template <class Wrapper, std::size_t Slot, class... A>
TRIKAL_INTO_WRAPPER auto on_descriptor(int fd, A... args) noexcept {
  const capture::HeldTarget held = capture::session.descriptors.hold<false>(fd);
  if (!held) return Wrapper::real()(args...);
  return Wrapper::call_running(
      [held](Span when, auto result, A...) noexcept { note_on_descriptor(when, static_cast<int>(result), held, Slot); },
      args...);
}

// A call that closes a descriptor: `begin` marks the number, so that it is forgotten whoever opens it next.
template <class Wrapper, class... A>
TRIKAL_INTO_WRAPPER int close_descriptor(int fd, A... args) noexcept {
  if (!capture::session.descriptors.hold<false>(fd) || capture::is_inside()) return Wrapper::real()(args...);
  capture::Closed closed;
  {
    const capture::Inside inside;
    closed = capture::session.descriptors.begin_close(fd);
  }
  return Wrapper::call_running(
      [closed](Span when, auto, A...) noexcept {
        capture::session.descriptors.end_close(closed);
        note_close(when, closed);
      },
      args...);
}

}  // namespace trikal::modules::posix
