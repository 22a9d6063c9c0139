#pragma once
// Transfers that were begun and have not been waited for: how long they took is known when their request is done.

#include <atomic>

#include "modules/mpiio/capture.hpp"

namespace trikal::modules::mpiio {

class Requests {
 public:
  struct Pending {
    MpiHandle request = 0;  // 0: free
    MpiFile* file = nullptr;
    Transfer transfer{};
    double begin = 0;
    std::uint32_t number = 0;  // given by add: the library may use a handle again before the wait for it is noted
  };

  // What every wait and test of the program costs where no transfer is under way: one load.
  [[nodiscard]] bool any() const noexcept { return count_.load(std::memory_order_relaxed) != 0; }
  void add(const Pending& pending) noexcept;
  // The number of the transfer behind a request. 0: not one of ours.
  [[nodiscard]] std::uint32_t number_of(MpiHandle request) noexcept;
  // A transfer that is done. False: no longer known.
  bool take(std::uint32_t number, Pending& pending) noexcept;
  void after_fork() noexcept;

 private:
  static constexpr std::size_t kMost = 1024;  // more are counted when they begin, and not followed
  capture::Spin lock_;
  std::atomic<std::uint32_t> count_{0};
  std::uint32_t last_number_ = 0;
  Pending entries_[kMost];
};
extern constinit Requests requests;

}  // namespace trikal::modules::mpiio
