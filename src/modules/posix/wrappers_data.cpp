// Reading and writing through descriptors.

#include <sys/uio.h>
#include <unistd.h>

#include "capture/interpose/interposed.hpp"
#include "modules/posix/wrappers_data.hpp"

namespace {

using namespace trikal::capture;       // NOLINT: a file of wrappers
using namespace trikal::modules::posix;  // NOLINT

template <trikal::FixedString Name, Noted note, class Buffer>
TRIKAL_INTO_WRAPPER ssize_t plain(int fd, Buffer buffer, size_t bytes) noexcept {
  using Wrapper = Interposed<Name, ssize_t(int, Buffer, size_t)>;
  return on_data<Wrapper>(
      fd,
      [](Watched on, TickInterval when, ssize_t moved, int, Buffer b, size_t n)
          TRIKAL_INLINED { at_position<note>(on, when, {moved, n, misaligned(b)}); },
      fd, buffer, bytes);
}

template <trikal::FixedString Name, Noted note, class Buffer, class Offset>
TRIKAL_INTO_WRAPPER ssize_t positioned(int fd, Buffer buffer, size_t bytes, Offset offset) noexcept {
  using Wrapper = Interposed<Name, ssize_t(int, Buffer, size_t, Offset)>;
  return on_data<Wrapper, Position::kCallers>(
      fd,
      [](Watched on, TickInterval when, ssize_t moved, int, Buffer b, size_t n, Offset o)
          TRIKAL_INLINED { at_offset<note>(on, when, {moved, n, misaligned(b)}, o); },
      fd, buffer, bytes, offset);
}

template <trikal::FixedString Name, Noted note>
TRIKAL_INTO_WRAPPER ssize_t vectored(int fd, const iovec* vectors, int count) noexcept {
  using Wrapper = Interposed<Name, ssize_t(int, const iovec*, int)>;
  return on_data<Wrapper>(
      fd,
      [](Watched on, TickInterval when, ssize_t moved, int, const iovec* v, int n)
          TRIKAL_INLINED { at_position<note>(on, when, outcome_of(moved, v, n)); },
      fd, vectors, count);
}

template <trikal::FixedString Name, Noted note, class Offset>
TRIKAL_INTO_WRAPPER ssize_t vectored_at(int fd, const iovec* vectors, int count, Offset offset) noexcept {
  using Wrapper = Interposed<Name, ssize_t(int, const iovec*, int, Offset)>;
  return on_data<Wrapper, Position::kCallers>(
      fd,
      [](Watched on, TickInterval when, ssize_t moved, int, const iovec* v, int n, Offset o)
          TRIKAL_INLINED { at_offset<note>(on, when, outcome_of(moved, v, n), o); },
      fd, vectors, count, offset);
}

// Offset -1 means the descriptor's position.
template <trikal::FixedString Name, Noted note, class Offset>
TRIKAL_INTO_WRAPPER ssize_t vectored_with_flags(int fd, const iovec* vectors, int count, Offset offset,
                                                int flags) noexcept {
  using Wrapper = Interposed<Name, ssize_t(int, const iovec*, int, Offset, int)>;
  return on_data<Wrapper>(
      fd,
      [](Watched on, TickInterval when, ssize_t moved, int, const iovec* v, int n, Offset o, int) TRIKAL_INLINED {
        if (o == -1) at_position<note>(on, when, outcome_of(moved, v, n));
        else at_offset<note>(on, when, outcome_of(moved, v, n), o);
      },
      fd, vectors, count, offset, flags);
}

// The fortified forms know how large the buffer is.
template <trikal::FixedString Name>
TRIKAL_INTO_WRAPPER ssize_t checked_read_at(int fd, void* buffer, size_t bytes, off_t offset,
                                            size_t capacity) noexcept {
  using Wrapper = Interposed<Name, ssize_t(int, void*, size_t, off_t, size_t)>;
  return on_data<Wrapper, Position::kCallers>(
      fd,
      [](Watched on, TickInterval when, ssize_t moved, int, void* b, size_t n, off_t o, size_t)
          TRIKAL_INLINED { at_offset<has_read>(on, when, {moved, n, misaligned(b)}, o); },
      fd, buffer, bytes, offset, capacity);
}

}  // namespace

TRIKAL_WRAPPER ssize_t __read_chk(int fd, void* buffer, size_t bytes, size_t capacity) {
  using Wrapper = Interposed<"__read_chk", ssize_t(int, void*, size_t, size_t)>;
  return on_data<Wrapper>(
      fd,
      [](Watched on, TickInterval when, ssize_t moved, int, void* b, size_t n, size_t)
          TRIKAL_INLINED { at_position<has_read>(on, when, {moved, n, misaligned(b)}); },
      fd, buffer, bytes, capacity);
}
TRIKAL_WRAPPER ssize_t __pread_chk(int fd, void* buffer, size_t bytes, off_t at, size_t capacity) {
  return checked_read_at<"__pread_chk">(fd, buffer, bytes, at, capacity);
}
TRIKAL_WRAPPER ssize_t __pread64_chk(int fd, void* buffer, size_t bytes, off64_t at, size_t capacity) {
  return checked_read_at<"__pread64_chk">(fd, buffer, bytes, at, capacity);
}

TRIKAL_WRAPPER ssize_t read(int fd, void* buffer, size_t bytes) { return plain<"read", has_read>(fd, buffer, bytes); }
TRIKAL_WRAPPER ssize_t write(int fd, const void* buffer, size_t bytes) {
  return plain<"write", has_written>(fd, buffer, bytes);
}

TRIKAL_WRAPPER ssize_t pread(int fd, void* buffer, size_t bytes, off_t at) {
  return positioned<"pread", has_read>(fd, buffer, bytes, at);
}
TRIKAL_WRAPPER ssize_t pread64(int fd, void* buffer, size_t bytes, off64_t at) {
  return positioned<"pread64", has_read>(fd, buffer, bytes, at);
}
TRIKAL_WRAPPER ssize_t pwrite(int fd, const void* buffer, size_t bytes, off_t at) {
  return positioned<"pwrite", has_written>(fd, buffer, bytes, at);
}
TRIKAL_WRAPPER ssize_t pwrite64(int fd, const void* buffer, size_t bytes, off64_t at) {
  return positioned<"pwrite64", has_written>(fd, buffer, bytes, at);
}

TRIKAL_WRAPPER ssize_t readv(int fd, const iovec* v, int n) { return vectored<"readv", has_read>(fd, v, n); }
TRIKAL_WRAPPER ssize_t writev(int fd, const iovec* v, int n) { return vectored<"writev", has_written>(fd, v, n); }
TRIKAL_WRAPPER ssize_t preadv(int fd, const iovec* v, int n, off_t at) {
  return vectored_at<"preadv", has_read>(fd, v, n, at);
}
TRIKAL_WRAPPER ssize_t preadv64(int fd, const iovec* v, int n, off64_t at) {
  return vectored_at<"preadv64", has_read>(fd, v, n, at);
}
TRIKAL_WRAPPER ssize_t pwritev(int fd, const iovec* v, int n, off_t at) {
  return vectored_at<"pwritev", has_written>(fd, v, n, at);
}
TRIKAL_WRAPPER ssize_t pwritev64(int fd, const iovec* v, int n, off64_t at) {
  return vectored_at<"pwritev64", has_written>(fd, v, n, at);
}
TRIKAL_WRAPPER ssize_t preadv2(int fd, const iovec* v, int n, off_t at, int flags) {
  return vectored_with_flags<"preadv2", has_read>(fd, v, n, at, flags);
}
TRIKAL_WRAPPER ssize_t preadv64v2(int fd, const iovec* v, int n, off64_t at, int flags) {
  return vectored_with_flags<"preadv64v2", has_read>(fd, v, n, at, flags);
}
TRIKAL_WRAPPER ssize_t pwritev2(int fd, const iovec* v, int n, off_t at, int flags) {
  return vectored_with_flags<"pwritev2", has_written>(fd, v, n, at, flags);
}
TRIKAL_WRAPPER ssize_t pwritev64v2(int fd, const iovec* v, int n, off64_t at, int flags) {
  return vectored_with_flags<"pwritev64v2", has_written>(fd, v, n, at, flags);
}
