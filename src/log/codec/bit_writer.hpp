#pragma once
// The bits of a deflate stream, into memory that has space for eight bytes more than they take.

#include "base/bytes.hpp"

namespace trikal::log {

// Bits, first one lowest.
class BitWriter {
 public:
  explicit BitWriter(std::byte* at) noexcept : at_(at) {}
  void put(std::uint64_t bits, unsigned count) noexcept {
    held_ |= bits << count_;
    count_ += count;
    store_le(at_, held_);
    at_ += count_ / 8;
    held_ >>= count_ / 8 * 8;
    count_ %= 8;
  }
  void put_bytes(Bytes bytes) noexcept {
    align();
    if (!bytes.empty()) std::memcpy(at_, bytes.data(), bytes.size());
    at_ += bytes.size();
  }
  void align() noexcept {
    if (count_ > 0) put(0, 8 - count_);
  }
  [[nodiscard]] std::byte* at() const noexcept { return at_; }

 private:
  std::byte* at_;
  std::uint64_t held_ = 0;
  unsigned count_ = 0;
};

}  // namespace trikal::log
