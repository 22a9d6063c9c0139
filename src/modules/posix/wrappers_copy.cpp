// Data that moves from one file to another without passing through the program: a read of the one, a write of the
// other. The time goes to the writing side, or to the reading one where only that is watched.

#include <fcntl.h>
#include <sys/sendfile.h>
#include <unistd.h>

#include "modules/posix/wrappers_data.hpp"
#include "modules/posix/wrappers_notes.hpp"

namespace {

using namespace trikal::capture;         // NOLINT: a file of wrappers
using namespace trikal::modules::posix;  // NOLINT

template <trikal::FixedString Name>
TRIKAL_INTO_WRAPPER ssize_t send(int out, int in, off64_t* at, size_t bytes) noexcept {
  using Wrapper = Interposed<Name, ssize_t(int, int, off64_t*, size_t)>;
  const Held from = session.descriptors.hold(in), to = session.descriptors.hold(out);
  if (!from && !to) return Wrapper::real()(out, in, at, bytes);
  return Wrapper::call_running([&from, &to](TickInterval when, ssize_t moved, int, int, off64_t* a,
                                            size_t) noexcept { note_copy(when, moved, {from, a}, {to, nullptr}); },
                               out, in, at, bytes);
}
// copy_file_range and splice have the same arguments.
template <trikal::FixedString Name>
TRIKAL_INTO_WRAPPER ssize_t copy(int in, off64_t* in_at, int out, off64_t* out_at, size_t bytes,
                                 unsigned flags) noexcept {
  using Wrapper = Interposed<Name, ssize_t(int, off64_t*, int, off64_t*, size_t, unsigned)>;
  const Held from = session.descriptors.hold(in), to = session.descriptors.hold(out);
  if (!from && !to) return Wrapper::real()(in, in_at, out, out_at, bytes, flags);
  return Wrapper::call_running(
      [&from, &to](TickInterval when, ssize_t moved, int, off64_t* ia, int, off64_t* oa, size_t, unsigned) noexcept {
        note_copy(when, moved, {from, ia}, {to, oa});
      },
      in, in_at, out, out_at, bytes, flags);
}

}  // namespace

TRIKAL_WRAPPER ssize_t sendfile(int out, int in, off_t* at, size_t bytes) noexcept {
  return send<"sendfile">(out, in, at, bytes);
}
TRIKAL_WRAPPER ssize_t sendfile64(int out, int in, off64_t* at, size_t bytes) noexcept {
  return send<"sendfile64">(out, in, at, bytes);
}
TRIKAL_WRAPPER ssize_t copy_file_range(int in, off64_t* in_at, int out, off64_t* out_at, size_t bytes, unsigned flags) {
  return copy<"copy_file_range">(in, in_at, out, out_at, bytes, flags);
}
TRIKAL_WRAPPER ssize_t splice(int in, off64_t* in_at, int out, off64_t* out_at, size_t bytes, unsigned flags) {
  return copy<"splice">(in, in_at, out, out_at, bytes, flags);
}

// Between two pipes, and nothing leaves the first.
TRIKAL_WRAPPER ssize_t tee(int in, int out, size_t bytes, unsigned flags) {
  using Wrapper = Interposed<"tee", ssize_t(int, int, size_t, unsigned)>;
  const Held from, to = session.descriptors.hold(out);
  if (!to) return Wrapper::real()(in, out, bytes, flags);
  return Wrapper::call_running(
      [&from, &to](TickInterval when, ssize_t moved, int, int, size_t, unsigned) noexcept {
        note_copy(when, moved, {from, nullptr}, {to, nullptr});
      },
      in, out, bytes, flags);
}
// Memory into a pipe, or out of one.
TRIKAL_WRAPPER ssize_t vmsplice(int fd, const iovec* vectors, size_t count, unsigned flags) {
  using Wrapper = Interposed<"vmsplice", ssize_t(int, const iovec*, size_t, unsigned)>;
  return on_data<Wrapper>(
      fd,
      [](Watched on, TickInterval when, ssize_t moved, int f, const iovec* v, size_t n, unsigned) TRIKAL_INLINED {
        const Outcome outcome = outcome_of(moved, v, static_cast<int>(n));
        const long mode = raw_syscall(__NR_fcntl, f, F_GETFL);
        if ((mode & O_ACCMODE) == O_RDONLY) at_position<has_read>(on, when, outcome);
        else at_position<has_written>(on, when, outcome);
      },
      fd, vectors, count, flags);
}
