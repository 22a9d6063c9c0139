#include "capture/mpi/messages.hpp"

#include <time.h>

#include <algorithm>
#include <cstring>

#include "capture/loader/symbols.hpp"
#include "capture/rare.hpp"
#include "capture/raw.hpp"

namespace trikal::capture {
namespace {

template <class Function>
bool find(Function*& function, const char* name) noexcept {
  function = reinterpret_cast<Function*>(find_function(name));
  return function != nullptr;
}

// Gives the processor to other ranks: there are often more of them than processors. Long waits are slept through.
class Backoff {
 public:
  explicit Backoff(double until) noexcept : begin_(steady_seconds()), until_(until) {}
  // False: time is up.
  bool wait() noexcept {
    const double now = steady_seconds();
    if (now >= until_) return false;
    const double waited = now - begin_;
    constexpr double kShort = 0.002, kLong = 0.2;
    if (waited < kShort) {
      (void)raw_syscall(__NR_sched_yield);
      return true;
    }
    const timespec nap{0, waited < kLong ? 100'000 : 1'000'000};
    (void)raw_syscall(__NR_nanosleep, raw_pointer(&nap), 0);
    return true;
  }

 private:
  double begin_, until_;
};

}  // namespace

double steady_seconds() noexcept {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

bool Messages::begin() noexcept {
  const bool callable = mpi.known() && find(isend_, "PMPI_Isend") && find(irecv_, "PMPI_Irecv") &&
                        find(test_, "PMPI_Test") && find(cancel_, "PMPI_Cancel") && find(free_, "PMPI_Request_free") &&
                        find(ibarrier_, "PMPI_Ibarrier") && find(get_handler_, "PMPI_Comm_get_errhandler") &&
                        find(set_handler_, "PMPI_Comm_set_errhandler");
  if (!callable || !packets_.grow(kMostPosted * kPacket)) return false;
  if (mpi.errors_return() != 0 && get_handler_(mpi.world(), &programs_handler_) == 0)
    handler_set_ = set_handler_(mpi.world(), mpi.errors_return()) == 0;
  return true;
}

Messages::~Messages() {
  if (handler_set_) (void)set_handler_(mpi.world(), programs_handler_);
}

// A barrier that was begun cannot be taken back: where somebody does not come, it stays as it is.
bool Messages::meet(double until) noexcept {
  static constinit Request request = 0;
  if (ibarrier_(mpi.world(), &request) != 0) return false;
  int over = 0;
  alignas(16) std::byte status[64];
  for (Backoff backoff(until);;) {
    if (test_(&request, &over, status) != 0) return false;
    if (over != 0) return true;
    if (!backoff.wait()) return false;
  }
}

std::int64_t Messages::wait(Request& request, double until) noexcept {
  int over = 0;
  alignas(16) std::byte status[64];
  for (Backoff backoff(until);;) {
    if (test_(&request, &over, status) != 0) return -1;
    if (over != 0) return std::max<std::int64_t>(mpi.bytes_moved(status), 0);
    if (!backoff.wait()) return -1;
  }
}

bool Messages::start_send(std::int64_t to, Bytes bytes) noexcept {
  if (posted_count_ == kMostPosted || bytes.size() > INT32_MAX) return false;
  Request& request = posted_[posted_count_];
  request = 0;
  if (isend_(bytes.data(), static_cast<int>(bytes.size()), mpi.byte(), static_cast<int>(to), kTag, mpi.world(),
             &request) != 0)
    return false;
  posted_count_ += 1;
  return true;
}

bool Messages::post(std::int64_t to, const Message& message) noexcept {
  if (packet_count_ == kMostPosted) return false;
  const Bytes body = message.failed ? Bytes{} : message.body;
  const MutableBytes packet = packets_.all().subspan(packet_count_++ * kPacket, kPacket);
  const std::size_t fits = std::min(body.size(), kFits);
  store(packet.data(), Wire{kMark, static_cast<std::uint16_t>(message.step),
                            message.failed ? std::uint16_t{1} : std::uint16_t{0}, body.size()});
  if (fits > 0) std::memcpy(packet.data() + sizeof(Wire), body.data(), fits);
  if (!start_send(to, packet.first(sizeof(Wire) + fits))) return false;
  return fits == body.size() || start_send(to, body.subspan(fits));
}

bool Messages::flush(double until) noexcept {
  bool all = true;
  for (std::size_t i = 0; i < posted_count_; ++i) {
    if (wait(posted_[i], until) >= 0) continue;
    // Nobody takes it. MPI may read from its memory for as long as it likes.
    (void)free_(&posted_[i]);
    all = false;
  }
  posted_count_ = packet_count_ = 0;
  if (!all) packets_.forget(), (void)packets_.grow(kMostPosted * kPacket);
  return all;
}

std::int64_t Messages::receive_bytes(std::int64_t from, MutableBytes buffer, double until) noexcept {
  Request request = 0;
  if (buffer.size() > INT32_MAX || irecv_(buffer.data(), static_cast<int>(buffer.size()), mpi.byte(),
                                          static_cast<int>(from), kTag, mpi.world(), &request) != 0)
    return -1;
  const std::int64_t bytes = wait(request, until);
  if (bytes >= 0) return bytes;
  constexpr double kToCancel = 0.1;
  if (!mpi.is_null_request(request) && cancel_(&request) == 0) (void)wait(request, steady_seconds() + kToCancel);
  return -1;
}

bool Messages::receive(std::int64_t from, Step step, Buffer& into, double until) noexcept {
  // For ever: what was not cancelled in time may still be written to.
  TRIKAL_RARE static constinit std::byte packet[kPacket];
  into.clear();
  const std::int64_t came = receive_bytes(from, packet, until);
  if (came < static_cast<std::int64_t>(sizeof(Wire))) return false;
  const auto wire = load<Wire>(packet);
  const std::size_t there = static_cast<std::size_t>(came) - sizeof(Wire);
  if (wire.mark != kMark || wire.step != static_cast<std::uint16_t>(step) || wire.failed != 0) return false;
  if (there != std::min<std::uint64_t>(wire.bytes, kFits) || wire.bytes > INT32_MAX) return false;
  if (!into.append({packet + sizeof wire, there})) return false;
  if (wire.bytes == there) return true;
  const auto rest = static_cast<std::size_t>(wire.bytes) - there;
  if (!into.grow(rest)) return false;
  const std::int64_t more = receive_bytes(from, into.all().subspan(there), until);
  if (more == static_cast<std::int64_t>(rest)) return true;
  into.forget();
  return false;
}

}  // namespace trikal::capture
