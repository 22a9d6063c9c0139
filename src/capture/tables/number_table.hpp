#pragma once
// A table by small numbers (descriptors) that takes address space as numbers come to be used. The first ones lie in one
// piece, one addition away; further ones in pieces that are made when a number of theirs is first used, and nothing
// ever moves: others may be reading it.

#include <atomic>
#include <cstddef>

#include "capture/tables/private_memory.hpp"

namespace trikal::capture {

// All zeros are a good Entry.
template <class Entry, unsigned Direct>
class NumberTable {
 public:
  static constexpr unsigned kMost = 1U << 20, kDirect = Direct;

  bool begin() noexcept {
    direct_ = static_cast<Entry*>(private_pages(sizeof(Entry) * kDirect));
    return direct_ != nullptr;
  }

  // For numbers below kDirect. Never null, which spares callers a test.
  [[nodiscard]] Entry* direct(unsigned number) noexcept {
    Entry* entry = direct_ + number;
    if (entry == nullptr) __builtin_unreachable();
    return entry;
  }

  // For any number; null: none of its piece was used yet.
  [[nodiscard]] Entry* find(unsigned number) noexcept {
    if (number < kDirect) return direct_ + number;
    Piece* pieces = pieces_.load(std::memory_order_acquire);
    if (number >= kMost || pieces == nullptr) return nullptr;
    Entry* piece = pieces[number / kDirect].load(std::memory_order_acquire);
    return piece == nullptr ? nullptr : piece + number % kDirect;
  }

  // As find, but null only at the end of the table, or of memory.
  [[nodiscard]] Entry* make(unsigned number) noexcept {
    if (number < kDirect) return direct_ + number;
    if (number >= kMost) return nullptr;
    Piece* pieces = made(pieces_, kMost / kDirect);
    Entry* piece = pieces == nullptr ? nullptr : made(pieces[number / kDirect], kDirect);
    return piece == nullptr ? nullptr : piece + number % kDirect;
  }

 private:
  using Piece = std::atomic<Entry*>;

  template <class T>
  static T* made(std::atomic<T*>& pointer, std::size_t count) noexcept {
    T* there = pointer.load(std::memory_order_acquire);
    if (there != nullptr) return there;
    const std::size_t bytes = count * sizeof(T);
    auto* fresh = static_cast<T*>(private_pages(bytes));
    if (fresh == nullptr || pointer.compare_exchange_strong(there, fresh, std::memory_order_acq_rel)) return fresh;
    (void)raw_syscall(__NR_munmap, raw_pointer(fresh), static_cast<long>(bytes));  // another thread was faster
    return there;
  }

  Entry* direct_ = nullptr;
  std::atomic<Piece*> pieces_{nullptr};
};

}  // namespace trikal::capture
