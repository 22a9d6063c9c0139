// Asynchronous I/O of the kernel, through libaio. Counted when a result is fetched, with the time from submission.
// libaio answers -errno; where it is not loaded these wrappers answer -1, which no program takes for success.

#include <errno.h>
#include <linux/aio_abi.h>
#include <time.h>

#include "modules/posix/capture_extra.hpp"
#include "modules/posix/wrappers_data.hpp"
#include "modules/posix/wrappers_notes.hpp"

namespace {

using namespace trikal::capture;         // NOLINT: a file of wrappers
using namespace trikal::modules::posix;  // NOLINT

// When a request was submitted, by the address of its control block. Two that fall on one place lose the older one's
// time, nothing else.
class Submitted {
 public:
  void set(const void* control, Ticks when) noexcept {
    Place& place = place_of(control);
    place.control.store(control, std::memory_order_relaxed);
    place.when.store(when, std::memory_order_relaxed);
  }
  [[nodiscard]] Ticks when(const void* control, Ticks unknown) noexcept {
    Place& place = place_of(control);
    return place.control.load(std::memory_order_relaxed) == control ? place.when.load(std::memory_order_relaxed)
                                                                    : unknown;
  }

 private:
  struct Place {
    std::atomic<const void*> control{nullptr};
    std::atomic<Ticks> when{0};
  };
  Place& place_of(const void* control) noexcept {
    return places_[(reinterpret_cast<std::uintptr_t>(control) >> 6) % kPlaces];
  }
  static constexpr std::size_t kPlaces = 1024;
  Place places_[kPlaces];
};
constinit Submitted submitted;

void note_sync_done(Descriptor& descriptor, Span when, bool data_only) noexcept {
  if (PosixFile* file = record_of(descriptor)) synced(*file, when, data_only);
}

void note_failure(Descriptor& descriptor, long error) noexcept {
  const int saved = errno;
  errno = static_cast<int>(-error);
  failed(descriptor);
  errno = saved;
}

void note_event(const io_event& event, Ticks begin) noexcept {
  const auto* control = reinterpret_cast<const iocb*>(event.obj);
  Descriptor* found = control == nullptr ? nullptr : session.descriptors.find(static_cast<int>(control->aio_fildes));
  if (found == nullptr) return;
  const TickInterval when{submitted.when(control, begin), read_counter()};
  const auto moved = static_cast<ssize_t>(event.res);
  const auto* buffer = reinterpret_cast<const void*>(control->aio_buf);
  const Outcome plain{moved, control->aio_nbytes, misaligned(buffer)};
  const auto* vectors = static_cast<const iovec*>(buffer);
  const auto count = static_cast<int>(control->aio_nbytes);
  if (moved < 0) return note_failure(*found, moved);
  switch (control->aio_lio_opcode) {
    case IOCB_CMD_PREAD: return at_offset<has_read>(*found, when, plain, control->aio_offset);
    case IOCB_CMD_PWRITE: return at_offset<has_written>(*found, when, plain, control->aio_offset);
    case IOCB_CMD_PREADV:
      return at_offset<has_read>(*found, when, outcome_of(moved, vectors, count), control->aio_offset);
    case IOCB_CMD_PWRITEV:
      return at_offset<has_written>(*found, when, outcome_of(moved, vectors, count), control->aio_offset);
    case IOCB_CMD_FSYNC: return note_sync_done(*found, when, false);
    case IOCB_CMD_FDSYNC: return note_sync_done(*found, when, true);
    default: return;
  }
}

template <class Wrapper, class... A>
TRIKAL_INTO_DOOR int fetch(io_event* events, A... args) noexcept {
  const Ticks begin = read_counter();
  return Wrapper::call(
      [events, begin](Span, int got, A...) noexcept {
        for (int i = 0; i < got; ++i) note_event(events[i], begin);
      },
      args...);
}

}  // namespace

TRIKAL_DOOR int io_submit(aio_context_t context, long count, iocb** controls) {
  using Wrapper = Interposed<"io_submit", int(aio_context_t, long, iocb**)>;
  if (session.running() && inside_depth == 0) {
    const Ticks now = read_counter();
    for (long i = 0; i < count; ++i) submitted.set(controls[i], now);
  }
  return Wrapper::real()(context, count, controls);
}
TRIKAL_DOOR int io_getevents(aio_context_t context, long least, long most, io_event* events, timespec* timeout) {
  using Wrapper = Interposed<"io_getevents", int(aio_context_t, long, long, io_event*, timespec*)>;
  return fetch<Wrapper>(events, context, least, most, events, timeout);
}
TRIKAL_DOOR int io_pgetevents(aio_context_t context, long least, long most, io_event* events, timespec* timeout,
                              void* signals) {
  using Wrapper = Interposed<"io_pgetevents", int(aio_context_t, long, long, io_event*, timespec*, void*)>;
  return fetch<Wrapper>(events, context, least, most, events, timeout, signals);
}
