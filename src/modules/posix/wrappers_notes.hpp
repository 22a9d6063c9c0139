#pragma once
// What calls on descriptors and names mean, for wrappers of libc and for syscall(), which goes round them.
// All of them run under the guard, after the call.

#include <fcntl.h>
#include <sys/stat.h>

#include "capture/interpose/interposed.hpp"
#include "modules/posix/capture.hpp"

namespace trikal::modules::posix {

void note_open(Span when, int fd, int directory, const char* path, int flags, mode_t mode) noexcept;
// What a descriptor that is about to be closed stands for: asked for before its number can be another file's.
struct Closing {
  PosixFile* record = nullptr;
  capture::File* file = nullptr;  // where that is brief
};
[[nodiscard]] Closing closing(capture::Descriptor& descriptor) noexcept;
void note_close(Span when, const Closing& what) noexcept;
void note_duplicate(Span when, int fd, int duplicate) noexcept;
void note_seek(Span when, int fd, off_t at) noexcept;
void note_sync(Span when, int fd, int result, bool data_only) noexcept;
void note_rename(Span when, int result, int from_directory, const char* from, int to_directory,
                 const char* to) noexcept;
// Both positions may be null: the descriptors' own.
void note_copy(TickInterval when, ssize_t moved, int in, const off64_t* in_at, int out, const off64_t* out_at) noexcept;
// stat of a path, or of a descriptor where the path is empty. `mode` is valid where the result is 0.
void note_stat(Span when, int result, int directory, const char* path, mode_t mode) noexcept;
void note_descriptor_stat(Span when, int result, int fd, mode_t mode) noexcept;

// One more of an extra counter, on a path or on a descriptor.
void note_on_path(Span when, int result, int directory, const char* path, std::size_t slot) noexcept;
void note_on_descriptor(Span when, int result, int fd, std::size_t slot, std::int64_t amount = 1) noexcept;

consteval std::size_t extra(std::string_view name) { return slot_of(kExtraCounters, name); }

// A call on a path that only an extra counter counts.
template <class Wrapper, std::size_t Slot, class... A>
TRIKAL_INTO_DOOR auto on_path(int directory, const char* path, A... args) noexcept {
  return Wrapper::call(
      [directory, path](Span when, auto result, A...) noexcept {
        note_on_path(when, static_cast<int>(result), directory, path, Slot);
      },
      args...);
}
template <class Wrapper, std::size_t Slot, class... A>
TRIKAL_INTO_DOOR auto on_descriptor(int fd, A... args) noexcept {
  if (capture::session.descriptors.find(fd) == nullptr) return Wrapper::real()(args...);
  return Wrapper::call_running(
      [fd](Span when, auto result, A...) noexcept { note_on_descriptor(when, static_cast<int>(result), fd, Slot); },
      args...);
}

}  // namespace trikal::modules::posix
