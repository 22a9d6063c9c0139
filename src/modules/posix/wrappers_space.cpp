// The space a file takes, what is to be done with its pages, and locks on it.

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "modules/posix/wrappers_notes.hpp"

namespace {

using namespace trikal::capture;         // NOLINT: a file of wrappers
using namespace trikal::modules::posix;  // NOLINT

template <trikal::FixedString Name>
TRIKAL_INTO_WRAPPER int cut(const char* path, off_t length) noexcept {
  return Interposed<Name, int(const char*, off_t)>::call(
      [](Span when, int result, const char* p, off_t n) noexcept { note_cut(when, result, AT_FDCWD, p, n); }, path,
      length);
}
template <trikal::FixedString Name>
TRIKAL_INTO_WRAPPER int cut_open(int fd, off_t length) noexcept {
  using Wrapper = Interposed<Name, int(int, off_t)>;
  const HeldTarget held = session.descriptors.hold<false>(fd);
  if (!held) return Wrapper::real()(fd, length);
  return Wrapper::call_running(
      [held](Span when, int result, int, off_t n) noexcept { note_cut(when, result, held, n); }, fd, length);
}

void note_allocate(Span when, int result, const Held& held, off_t bytes) noexcept {
  note_on_descriptor(when, result, held, extra("POSIX_ALLOCATES"));
  if (result >= 0) add_extra<"POSIX_BYTES_ALLOCATED">(file_of(held), bytes);
}

template <trikal::FixedString Name>
TRIKAL_INTO_WRAPPER int allocate(int fd, int mode, off_t offset, off_t bytes) noexcept {
  using Wrapper = Interposed<Name, int(int, int, off_t, off_t)>;
  const Held held = session.descriptors.hold(fd);
  if (!held) return Wrapper::real()(fd, mode, offset, bytes);
  return Wrapper::call_running(
      [held](Span when, int result, int, int, off_t, off_t n) noexcept { note_allocate(when, result, held, n); }, fd,
      mode, offset, bytes);
}

// The posix_ functions return the error and leave errno alone.
template <class Note>
void with_errno(int error, const Note& note) noexcept {
  const int saved = errno;
  errno = error;
  note(error == 0 ? 0 : -1);
  errno = saved;
}

template <trikal::FixedString Name>
TRIKAL_INTO_WRAPPER int allocate_posix(int fd, off_t offset, off_t bytes) noexcept {
  using Wrapper = Interposed<Name, int(int, off_t, off_t)>;
  const Held held = session.descriptors.hold(fd);
  if (!held) return Wrapper::real()(fd, offset, bytes);
  return Wrapper::call_running(
      [held](Span when, int error, int, off_t, off_t n) noexcept {
        with_errno(error, [&](int result) noexcept { note_allocate(when, result, held, n); });
      },
      fd, offset, bytes);
}
template <trikal::FixedString Name>
TRIKAL_INTO_WRAPPER int advise(int fd, off_t offset, off_t bytes, int advice) noexcept {
  using Wrapper = Interposed<Name, int(int, off_t, off_t, int)>;
  const Held held = session.descriptors.hold(fd);
  if (!held) return Wrapper::real()(fd, offset, bytes, advice);
  return Wrapper::call_running(
      [held](Span when, int error, int, off_t, off_t, int) noexcept {
        with_errno(error, [&](int result) noexcept { note_on_descriptor(when, result, held, extra("POSIX_ADVISES")); });
      },
      fd, offset, bytes, advice);
}

}  // namespace

TRIKAL_WRAPPER int truncate(const char* path, off_t length) noexcept { return cut<"truncate">(path, length); }
TRIKAL_WRAPPER int truncate64(const char* path, off64_t length) noexcept { return cut<"truncate64">(path, length); }
TRIKAL_WRAPPER int ftruncate(int fd, off_t length) noexcept { return cut_open<"ftruncate">(fd, length); }
TRIKAL_WRAPPER int ftruncate64(int fd, off64_t length) noexcept { return cut_open<"ftruncate64">(fd, length); }
TRIKAL_WRAPPER int fallocate(int fd, int mode, off_t offset, off_t bytes) {
  return allocate<"fallocate">(fd, mode, offset, bytes);
}
TRIKAL_WRAPPER int fallocate64(int fd, int mode, off64_t offset, off64_t bytes) {
  return allocate<"fallocate64">(fd, mode, offset, bytes);
}
TRIKAL_WRAPPER int posix_fallocate(int fd, off_t offset, off_t bytes) {
  return allocate_posix<"posix_fallocate">(fd, offset, bytes);
}
TRIKAL_WRAPPER int posix_fallocate64(int fd, off64_t offset, off64_t bytes) {
  return allocate_posix<"posix_fallocate64">(fd, offset, bytes);
}
TRIKAL_WRAPPER int posix_fadvise(int fd, off_t offset, off_t bytes, int advice) noexcept {
  return advise<"posix_fadvise">(fd, offset, bytes, advice);
}
TRIKAL_WRAPPER int posix_fadvise64(int fd, off64_t offset, off64_t bytes, int advice) noexcept {
  return advise<"posix_fadvise64">(fd, offset, bytes, advice);
}
TRIKAL_WRAPPER ssize_t readahead(int fd, off64_t offset, size_t bytes) noexcept {
  using Wrapper = Interposed<"readahead", ssize_t(int, off64_t, size_t)>;
  return on_descriptor<Wrapper, extra("POSIX_ADVISES")>(fd, fd, offset, bytes);
}
TRIKAL_WRAPPER int sync_file_range(int fd, off64_t offset, off64_t bytes, unsigned flags) {
  using Wrapper = Interposed<"sync_file_range", int(int, off64_t, off64_t, unsigned)>;
  return on_descriptor<Wrapper, extra("POSIX_RANGE_SYNCS")>(fd, fd, offset, bytes, flags);
}
TRIKAL_WRAPPER int syncfs(int fd) noexcept {
  return on_descriptor<Interposed<"syncfs", int(int)>, extra("POSIX_RANGE_SYNCS")>(fd, fd);
}
TRIKAL_WRAPPER int flock(int fd, int operation) noexcept {
  return on_descriptor<Interposed<"flock", int(int, int)>, extra("POSIX_LOCKS")>(fd, fd, operation);
}
TRIKAL_WRAPPER int lockf(int fd, int command, off_t bytes) {
  return on_descriptor<Interposed<"lockf", int(int, int, off_t)>, extra("POSIX_LOCKS")>(fd, fd, command, bytes);
}
TRIKAL_WRAPPER int lockf64(int fd, int command, off64_t bytes) {
  return on_descriptor<Interposed<"lockf64", int(int, int, off64_t)>, extra("POSIX_LOCKS")>(fd, fd, command, bytes);
}
