#pragma once
// What the trailer says of the ranks below, on its way up. It is bounded, the ranks of a job are not: who does not fit is
// left out whole, and counted.

#include <cstdint>

#include "capture/reduce/buffer.hpp"

namespace trikal::capture {

struct RestHead {
  std::uint64_t bytes = 0;
  std::uint64_t ranks = 0;  // whose rows follow
  std::uint64_t left_out = 0;  // ranks whose rows do not
};

class Rest {
 public:
  // About ten thousand ranks, each of which takes 8 KiB once unpacked.
  static constexpr std::size_t kMost = 8UL * 1024 * 1024;

  explicit Rest(std::size_t most = kMost) noexcept : most_(most) {}

  // Our own: packed to own() behind what is there, then counted.
  [[nodiscard]] Buffer& own() noexcept { return packed_; }
  void count_own() noexcept { head_.ranks += 1; }
  // A message of a child's subtree. False: no memory.
  [[nodiscard]] bool add(const RestHead& head, Bytes packed) noexcept {
    head_.left_out += head.left_out;
    if (packed.size() > most_ || packed_.size() > most_ - packed.size()) {
      head_.left_out += head.ranks;
      return true;
    }
    head_.ranks += head.ranks;
    return packed_.append(packed);
  }

  [[nodiscard]] RestHead head() const noexcept { return {packed_.size(), head_.ranks, head_.left_out}; }
  [[nodiscard]] Bytes packed() const noexcept { return packed_.bytes(); }

 private:
  std::size_t most_;
  RestHead head_;
  Buffer packed_;
};

}  // namespace trikal::capture
