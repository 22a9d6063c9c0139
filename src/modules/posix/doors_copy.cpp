// Data that moves from one file to another without passing through the program: a read of the one, a write of the
// other. The time goes to the writing side, or to the reading one where only that is watched.

#include <fcntl.h>
#include <sys/sendfile.h>
#include <unistd.h>

#include "capture/interpose/interposed.hpp"
#include "modules/posix/capture.hpp"

namespace {

using namespace trikal::capture;         // NOLINT: a file of doors
using namespace trikal::modules::posix;  // NOLINT

// The position of one side: the caller's, which the kernel has moved by now, or the descriptor's own.
std::int64_t position(Descriptor& descriptor, const off64_t* at, ssize_t moved) noexcept {
  return at != nullptr ? *at - moved : descriptor.open->offset.fetch_add(moved, std::memory_order_relaxed);
}

void note_copy(Span when, ssize_t moved, int in, const off64_t* in_at, int out, const off64_t* out_at) noexcept {
  if (moved < 0) return;
  Descriptor* from = session.descriptors.find(in);
  Descriptor* to = session.descriptors.find(out);
  if (from != nullptr) {
    const Span read_time = to == nullptr ? when : Span{when.begin, when.begin};
    if (PosixFile* file = record_of(*from)) has_read(*file, read_time, {position(*from, in_at, moved), moved, false});
  }
  if (to != nullptr) {
    if (PosixFile* file = record_of(*to)) has_written(*file, when, {position(*to, out_at, moved), moved, false});
  }
}

bool watched(int a, int b) noexcept {
  return session.descriptors.find(a) != nullptr || session.descriptors.find(b) != nullptr;
}

template <trikal::FixedString Name>
ssize_t send(int out, int in, off64_t* at, size_t bytes) noexcept {
  using Door = Interposed<Name, ssize_t(int, int, off64_t*, size_t)>;
  if (!watched(in, out)) return Door::real()(out, in, at, bytes);
  return Door::call_running([](Span when, ssize_t moved, int o, int i, off64_t* a,
                               size_t) noexcept { note_copy(when, moved, i, a, o, nullptr); },
                            out, in, at, bytes);
}
// copy_file_range and splice have the same arguments.
template <trikal::FixedString Name>
ssize_t copy(int in, off64_t* in_at, int out, off64_t* out_at, size_t bytes, unsigned flags) noexcept {
  using Door = Interposed<Name, ssize_t(int, off64_t*, int, off64_t*, size_t, unsigned)>;
  if (!watched(in, out)) return Door::real()(in, in_at, out, out_at, bytes, flags);
  return Door::call_running([](Span when, ssize_t moved, int i, off64_t* ia, int o, off64_t* oa, size_t,
                               unsigned) noexcept { note_copy(when, moved, i, ia, o, oa); },
                            in, in_at, out, out_at, bytes, flags);
}

}  // namespace

TRIKAL_DOOR ssize_t sendfile(int out, int in, off_t* at, size_t bytes) noexcept {
  return send<"sendfile">(out, in, at, bytes);
}
TRIKAL_DOOR ssize_t sendfile64(int out, int in, off64_t* at, size_t bytes) noexcept {
  return send<"sendfile64">(out, in, at, bytes);
}
TRIKAL_DOOR ssize_t copy_file_range(int in, off64_t* in_at, int out, off64_t* out_at, size_t bytes, unsigned flags) {
  return copy<"copy_file_range">(in, in_at, out, out_at, bytes, flags);
}
TRIKAL_DOOR ssize_t splice(int in, off64_t* in_at, int out, off64_t* out_at, size_t bytes, unsigned flags) {
  return copy<"splice">(in, in_at, out, out_at, bytes, flags);
}
