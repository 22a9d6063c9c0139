#pragma once
// Bytes that grow, in pages of their own: what ranks send each other has no bound that is known before. No heap; where
// memory cannot be had, growing fails and says so.

#include <cstddef>
#include <cstdint>

#include "base/bytes.hpp"

namespace trikal::capture {

class Buffer {
 public:
  Buffer() = default;
  ~Buffer() { release(); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  [[nodiscard]] std::size_t size() const noexcept { return used_; }
  [[nodiscard]] Bytes bytes() const noexcept { return {base_, used_}; }
  [[nodiscard]] MutableBytes all() noexcept { return {base_, used_}; }

  // So many more bytes at the end, whatever they are; false: no memory, and nothing has changed.
  [[nodiscard]] bool grow(std::size_t bytes) noexcept;
  [[nodiscard]] bool append(Bytes bytes) noexcept;
  template <class T>
  [[nodiscard]] bool put(const T& value) noexcept {
    return append(std::as_bytes(std::span(&value, 1)));
  }
  void shrink(std::size_t size) noexcept { used_ = size < used_ ? size : used_; }
  void clear() noexcept { used_ = 0; }
  void swap(Buffer& other) noexcept;
  // The memory stays for ever: an MPI that would not let go of it may still read from it.
  void forget() noexcept { base_ = nullptr, used_ = capacity_ = 0; }
  void release() noexcept;

 private:
  static constexpr std::size_t kMost = std::size_t{1} << 30;  // what one message may have

  std::byte* base_ = nullptr;
  std::size_t used_ = 0, capacity_ = 0;
};

}  // namespace trikal::capture
