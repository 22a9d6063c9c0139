// Asynchronous reads and writes of libc. What was asked for is remembered; it counts when its result is fetched,
// with the time from asking to fetching, since only then it is known to have happened. By then its descriptor may have
// been closed, and stand for another file.

#include <aio.h>

#include "capture/rare.hpp"
#include "modules/posix/capture_extra.hpp"
#include "modules/posix/wrappers_notes.hpp"

namespace {

using namespace trikal::capture;         // NOLINT: a file of wrappers
using namespace trikal::modules::posix;  // NOLINT

struct Request {
  const void* control = nullptr;
  Ticks begin = 0;
  Direction direction = Direction::kNone;
  Held held;
};

// Requests under way. As many as a program may have; one that finds no slot is not counted, and that is.
class Requests {
 public:
  void add(const Request& request) noexcept {
    const Locked locked(lock_);
    if (!locked) return;
    Request* slot = find(request.control);
    if (slot == nullptr) slot = find(nullptr);
    if (slot != nullptr) *slot = request;
    else session.missed();
  }
  Request take(const void* control) noexcept {
    const Locked locked(lock_);
    if (!locked) return {};
    Request* slot = find(control);
    if (slot == nullptr) return {};
    const Request found = *slot;
    *slot = {};
    return found;
  }

  // They are the parent's, which alone can fetch their results.
  void after_fork() noexcept {
    lock_.reset();
    for (Request& request : requests_) {
      if (request.control != nullptr) request = {};  // an untouched page stays one
    }
  }

 private:
  Request* find(const void* control) noexcept {
    for (Request& request : requests_) {
      if (request.control == control) return &request;
    }
    return nullptr;
  }

  Spin lock_;
  Request requests_[256];
};
TRIKAL_RARE_DATA constinit Requests requests;

// Before the call: another thread may fetch the result before it returns here.
template <class Control>
bool begun(const Control* control, Direction direction) noexcept {
  const Held held = session.descriptors.hold(control->aio_fildes);
  if (!held) return false;
  if (is_inside()) return session.missed(), false;
  const Inside inside;
  requests.add({control, read_counter(), direction, held});
  return true;
}

void refused(const void* control) noexcept {
  const Inside inside;
  (void)requests.take(control);
}

template <class Control>
TRIKAL_INTO_WRAPPER void finished(const Control* control, ssize_t moved) noexcept {
  if (is_inside()) return;
  const Inside inside;
  keep_caller();
  const Request request = requests.take(control);
  if (request.control == nullptr) return;
  if (moved < 0) return failed(request.held);
  PosixFile* file = record_of(request.held);
  if (file == nullptr) return;
  const auto address = reinterpret_cast<std::uintptr_t>(control->aio_buf);
  const Access access{control->aio_offset, moved, address % session.config.memory_alignment != 0};
  const TickInterval when{request.begin, read_counter()};
  request.direction == Direction::kRead ? has_read(*file, when, access) : has_written(*file, when, access);
}

template <trikal::FixedString Name, Direction direction, class Control>
int submit(Control* control) noexcept {
  const bool watched = begun(control, direction);
  const int result = Interposed<Name, int(Control*)>::real()(control);
  if (watched && result != 0) refused(control);
  return result;
}

template <trikal::FixedString Name, class Control>
TRIKAL_INTO_WRAPPER ssize_t fetch(Control* control) noexcept {
  const ssize_t moved = Interposed<Name, ssize_t(Control*)>::real()(control);
  finished(control, moved);
  return moved;
}

// Noted before the call: with LIO_WAIT it returns when all is done.
template <trikal::FixedString Name, class Control>
int submit_list(int mode, Control* const list[], int count, sigevent* event) noexcept {
  for (int i = 0; i < count; ++i) {
    if (list[i] == nullptr || list[i]->aio_lio_opcode == LIO_NOP) continue;
    (void)begun(list[i], list[i]->aio_lio_opcode == LIO_READ ? Direction::kRead : Direction::kWrite);
  }
  return Interposed<Name, int(int, Control* const[], int, sigevent*)>::real()(mode, list, count, event);
}

// The data is on its way to the disk when this returns; when it has arrived is not waited for.
template <trikal::FixedString Name, class Control>
TRIKAL_INTO_WRAPPER int submit_sync(int operation, Control* control) noexcept {
  const Held held = session.descriptors.hold(control->aio_fildes);
  return Interposed<Name, int(int, Control*)>::call(
      [&held](Span when, int result, int how, Control*) noexcept { note_sync(when, held, result, how == O_DSYNC); },
      operation, control);
}

}  // namespace

namespace trikal::modules::posix {

void free_requests() noexcept { requests.after_fork(); }

}  // namespace trikal::modules::posix

TRIKAL_WRAPPER int aio_fsync(int operation, aiocb* control) noexcept {
  return submit_sync<"aio_fsync">(operation, control);
}
TRIKAL_WRAPPER int aio_fsync64(int operation, aiocb64* control) noexcept {
  return submit_sync<"aio_fsync64">(operation, control);
}
TRIKAL_WRAPPER int aio_read(aiocb* control) noexcept { return submit<"aio_read", Direction::kRead>(control); }
TRIKAL_WRAPPER int aio_read64(aiocb64* control) noexcept { return submit<"aio_read64", Direction::kRead>(control); }
TRIKAL_WRAPPER int aio_write(aiocb* control) noexcept { return submit<"aio_write", Direction::kWrite>(control); }
TRIKAL_WRAPPER int aio_write64(aiocb64* control) noexcept { return submit<"aio_write64", Direction::kWrite>(control); }
TRIKAL_WRAPPER ssize_t aio_return(aiocb* control) noexcept { return fetch<"aio_return">(control); }
TRIKAL_WRAPPER ssize_t aio_return64(aiocb64* control) noexcept { return fetch<"aio_return64">(control); }
TRIKAL_WRAPPER int lio_listio(int mode, aiocb* const list[], int count, sigevent* event) noexcept {
  return submit_list<"lio_listio">(mode, list, count, event);
}
TRIKAL_WRAPPER int lio_listio64(int mode, aiocb64* const list[], int count, sigevent* event) noexcept {
  return submit_list<"lio_listio64">(mode, list, count, event);
}
