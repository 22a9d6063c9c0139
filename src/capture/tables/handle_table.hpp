#pragma once
// What belongs to the handles that a library has given the program, where handles are numbers that never come again: the
// slot of one that was closed is used by others, and the table grows with how many are open, not with how many were.

#include <cstddef>
#include <cstdint>

#include "capture/guard/spin.hpp"
#include "capture/tables/private_memory.hpp"

namespace trikal::capture {

template <class Value>
class HandleTable {
 public:
  [[nodiscard]] bool find(std::int64_t handle, Value& out) noexcept {
    const Locked locked(lock_);
    if (!locked) return false;
    const Entry* entry = entry_of(handle);
    if (entry == nullptr) return false;
    out = entry->value;
    return true;
  }

  // Without memory it is not kept, and find does not find it.
  void set(std::int64_t handle, const Value& value) noexcept {
    const Locked locked(lock_);
    if (!locked) return;
    if (handle == 0) return;
    if (Entry* known = entry_of(handle)) {
      known->value = value;
      return;
    }
    if (2 * (count_ + 1) > slots_ && !grow()) return;
    put(handle, value);
    ++count_;
  }

  // As find, and it is gone.
  bool take(std::int64_t handle, Value& out) noexcept {
    const Locked locked(lock_);
    if (!locked) return false;
    Entry* entry = entry_of(handle);
    if (entry == nullptr) return false;
    out = entry->value;
    close_gap(static_cast<std::size_t>(entry - entries_));
    --count_;
    return true;
  }

  [[nodiscard]] std::size_t size() const noexcept { return count_; }

  // In the child after a fork, where whoever held it is not.
  void free_lock() noexcept { lock_.reset(); }
  void after_fork() noexcept {
    lock_.reset();
    for (std::size_t i = 0; i < slots_; ++i) entries_[i] = {};
    count_ = 0;
  }

 private:
  struct Entry {
    std::int64_t handle = 0;  // 0: free
    Value value{};
  };
  static constexpr std::size_t kFirstSlots = 256;

  [[nodiscard]] std::size_t first_slot_of(std::int64_t handle) const noexcept {
    return static_cast<std::size_t>(static_cast<std::uint64_t>(handle) * 0x9e3779b97f4a7c15ULL >> 32) & (slots_ - 1);
  }

  [[nodiscard]] Entry* entry_of(std::int64_t handle) noexcept {
    if (slots_ == 0 || handle == 0) return nullptr;
    std::size_t at = first_slot_of(handle);
    while (entries_[at].handle != 0 && entries_[at].handle != handle) at = (at + 1) & (slots_ - 1);
    return entries_[at].handle == 0 ? nullptr : &entries_[at];
  }

  void put(std::int64_t handle, const Value& value) noexcept {
    std::size_t at = first_slot_of(handle);
    while (entries_[at].handle != 0) at = (at + 1) & (slots_ - 1);
    entries_[at] = {handle, value};
  }

  // Entries behind it that were pushed on by it, or by one that it pushed on, move up.
  void close_gap(std::size_t gap) noexcept {
    const std::size_t mask = slots_ - 1;
    entries_[gap] = {};
    for (std::size_t at = (gap + 1) & mask; entries_[at].handle != 0; at = (at + 1) & mask) {
      const std::size_t home = first_slot_of(entries_[at].handle);
      if (((at - home) & mask) < ((at - gap) & mask)) continue;  // its home lies behind the gap
      entries_[gap] = entries_[at];
      entries_[at] = {};
      gap = at;
    }
  }

  bool grow() noexcept {
    Entry* old = entries_;
    const std::size_t slots = slots_;
    auto* larger = static_cast<Entry*>(private_pages((slots == 0 ? kFirstSlots : 2 * slots) * sizeof(Entry)));
    if (larger == nullptr) return false;
    entries_ = larger;
    slots_ = slots == 0 ? kFirstSlots : 2 * slots;
    for (std::size_t i = 0; i < slots; ++i) {
      if (old[i].handle != 0) put(old[i].handle, old[i].value);
    }
    return true;
  }

  Spin lock_;
  Entry* entries_ = nullptr;
  std::size_t slots_ = 0, count_ = 0;
};

}  // namespace trikal::capture
