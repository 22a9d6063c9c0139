#pragma once
// Messages between the ranks of a job at its end. Every wait has an end; whatever goes wrong is an answer, never an
// abort. Only functions of MPI that profilers leave alone (PMPI_), on MPI_COMM_WORLD with a tag of our own.

#include <cstdint>

#include "capture/mpi/library.hpp"
#include "capture/reduce/buffer.hpp"

namespace trikal::capture {

// Seconds of a clock that only goes forward.
[[nodiscard]] double steady_seconds() noexcept;

enum class Step : std::uint16_t { kSurvey = 1, kPlan, kMap, kCollect, kOrders, kDone, kWritten };

class Messages {
 public:
  Messages() = default;
  ~Messages();
  Messages(const Messages&) = delete;
  Messages& operator=(const Messages&) = delete;

  // False: this MPI lacks something. From here on errors are returned to us; the destructor gives the program its
  // way to handle errors back.
  [[nodiscard]] bool begin() noexcept;

  // True: all ranks of the job are here, at their end. Nobody can be sent a message before: who is still computing may
  // be waiting for a message of any tag, and would take ours.
  [[nodiscard]] bool meet(double until) noexcept;

  struct Message {
    Step step = Step::kSurvey;
    bool failed = false;  // the sender gives up; then there is no body
    Bytes body;
  };
  // Starts to send; `message.body` must stay until flush. False: it could not even be started.
  [[nodiscard]] bool post(std::int64_t to, const Message& message) noexcept;
  // Until all that was posted is sent.
  [[nodiscard]] bool flush(double until) noexcept;

  // The body in `into`. False: nothing came, or not what was expected, or the sender has given up.
  [[nodiscard]] bool receive(std::int64_t from, Step step, Buffer& into, double until) noexcept;

 private:
  using Request = std::uint64_t;  // wide enough for any flavour
  struct Wire {
    std::uint32_t mark = 0;
    std::uint16_t step = 0, failed = 0;
    std::uint64_t bytes = 0;  // of the body; what does not fit behind this head comes in a second message
  };
  static constexpr std::uint32_t kMark = 0x4c4b5254;  // "TRKL"
  static constexpr int kTag = 31677;  // every MPI allows tags up to 32767
  static constexpr std::size_t kPacket = 2048;  // small enough to be sent before anybody asks for it
  static constexpr std::size_t kFits = kPacket - sizeof(Wire);
  static constexpr std::size_t kMostPosted = 1024;

  [[nodiscard]] bool start_send(std::int64_t to, Bytes bytes) noexcept;
  // Waits for one request; -1: it did not end in time or failed, else the bytes that came.
  [[nodiscard]] std::int64_t wait(Request& request, double until) noexcept;
  [[nodiscard]] std::int64_t receive_bytes(std::int64_t from, MutableBytes buffer, double until) noexcept;

  int (*isend_)(const void*, int, MpiHandle, int, int, MpiHandle, Request*) = nullptr;
  int (*irecv_)(void*, int, MpiHandle, int, int, MpiHandle, Request*) = nullptr;
  int (*test_)(Request*, int*, void*) = nullptr;
  int (*cancel_)(Request*) = nullptr;
  int (*free_)(Request*) = nullptr;
  int (*ibarrier_)(MpiHandle, Request*) = nullptr;
  int (*get_handler_)(MpiHandle, MpiHandle*) = nullptr;
  int (*set_handler_)(MpiHandle, MpiHandle) = nullptr;
  MpiHandle programs_handler_ = 0;
  bool handler_set_ = false;

  Request posted_[kMostPosted] = {};
  std::size_t posted_count_ = 0;
  Buffer packets_;  // kPacket each
  std::size_t packet_count_ = 0;
};

}  // namespace trikal::capture
