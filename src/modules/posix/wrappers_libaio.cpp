// Asynchronous I/O of the kernel, through libaio. Counted when a result is fetched, with the time from submission.
// libaio answers -errno; where it is not loaded these wrappers answer -1, which no program takes for success.

#include <errno.h>
#include <linux/aio_abi.h>
#include <time.h>

#include <utility>

#include "capture/rare.hpp"
#include "modules/posix/capture_extra.hpp"
#include "modules/posix/wrappers_data.hpp"
#include "modules/posix/wrappers_notes.hpp"

namespace {

using namespace trikal::capture;         // NOLINT: a file of wrappers
using namespace trikal::modules::posix;  // NOLINT

// What a request was submitted for, and when. By the time its result is fetched, its descriptor may have been closed.
struct Request {
  const void* control = nullptr;
  Ticks when = 0;
  Held held;
};

// By the address of the control block. Of two that fall on one slot the older one is forgotten: it counts for what its
// descriptor stands for when it is fetched, from then on.
class Submitted {
 public:
  void set(const Request& request) noexcept {
    const Locked locked(lock_);
    if (!locked) return;
    used_ = true;
    slot_of(request.control) = request;
  }
  [[nodiscard]] Request take(const iocb* control, Ticks now) noexcept {
    {
      const Locked locked(lock_);
      Request& slot = slot_of(control);
      if (locked && slot.control == control) return std::exchange(slot, Request{});
    }
    return {control, now, session.descriptors.hold(static_cast<int>(control->aio_fildes))};
  }
  // They are the parent's.
  void after_fork() noexcept {
    lock_.reset();
    if (!used_) return;
    for (Request& slot : slots_) slot = {};
  }

 private:
  Request& slot_of(const void* control) noexcept {
    return slots_[(reinterpret_cast<std::uintptr_t>(control) >> 6) % kSlots];
  }
  static constexpr std::size_t kSlots = 1024;
  Spin lock_;
  bool used_ = false;  // a process that forks need not copy what it never touched
  Request slots_[kSlots];
};
TRIKAL_RARE_DATA constinit Submitted submitted;

void note_failure(const Held& held, long error) noexcept {
  const int saved = errno;
  errno = static_cast<int>(-error);
  failed(held);
  errno = saved;
}

void note_event(const io_event& event, Ticks begin) noexcept {
  const auto* control = reinterpret_cast<const iocb*>(event.obj);
  if (control == nullptr) return;
  const Request request = submitted.take(control, begin);
  const Held& held = request.held;
  if (!held) return;
  const TickInterval when{request.when, read_counter()};
  const auto moved = static_cast<ssize_t>(event.res);
  const auto* buffer = reinterpret_cast<const void*>(control->aio_buf);
  const Outcome plain{moved, control->aio_nbytes, misaligned(buffer)};
  const auto* vectors = static_cast<const iovec*>(buffer);
  const auto count = static_cast<int>(control->aio_nbytes);
  if (moved < 0) return note_failure(held, moved);
  const Watched on = watched(held);
  if (!on) return;
  switch (control->aio_lio_opcode) {
    case IOCB_CMD_PREAD: return at_offset<has_read>(on, when, plain, control->aio_offset);
    case IOCB_CMD_PWRITE: return at_offset<has_written>(on, when, plain, control->aio_offset);
    case IOCB_CMD_PREADV: return at_offset<has_read>(on, when, outcome_of(moved, vectors, count), control->aio_offset);
    case IOCB_CMD_PWRITEV:
      return at_offset<has_written>(on, when, outcome_of(moved, vectors, count), control->aio_offset);
    case IOCB_CMD_FSYNC: return note_sync(when, held, 0, false);
    case IOCB_CMD_FDSYNC: return note_sync(when, held, 0, true);
    default: return;
  }
}

template <class Wrapper, class... A>
TRIKAL_INTO_WRAPPER int fetch(io_event* events, A... args) noexcept {
  const Ticks begin = read_counter();
  return Wrapper::call(
      [events, begin](Span, int got, A...) noexcept {
        for (int i = 0; i < got; ++i) note_event(events[i], begin);
      },
      args...);
}

}  // namespace

namespace trikal::modules::posix {

void free_submitted() noexcept { submitted.after_fork(); }

}  // namespace trikal::modules::posix

// Before the call: another thread may fetch results before it returns here.
TRIKAL_WRAPPER int io_submit(aio_context_t context, long count, iocb** controls) {
  using Wrapper = Interposed<"io_submit", int(aio_context_t, long, iocb**)>;
  if (session.running() && !is_inside()) {
    const Inside inside;
    const Ticks now = read_counter();
    for (long i = 0; i < count; ++i)
      submitted.set({controls[i], now, session.descriptors.hold(static_cast<int>(controls[i]->aio_fildes))});
  }
  return Wrapper::real()(context, count, controls);
}
TRIKAL_WRAPPER int io_getevents(aio_context_t context, long least, long most, io_event* events, timespec* timeout) {
  using Wrapper = Interposed<"io_getevents", int(aio_context_t, long, long, io_event*, timespec*)>;
  return fetch<Wrapper>(events, context, least, most, events, timeout);
}
TRIKAL_WRAPPER int io_pgetevents(aio_context_t context, long least, long most, io_event* events, timespec* timeout,
                                 void* signals) {
  using Wrapper = Interposed<"io_pgetevents", int(aio_context_t, long, long, io_event*, timespec*, void*)>;
  return fetch<Wrapper>(events, context, least, most, events, timeout, signals);
}
