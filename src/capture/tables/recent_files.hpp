#pragma once
// The files that were opened last, by the text of their names: a program that opens one file again and again spares
// the long hash and the walk through the table. Takes no lock; an entry may be lost to another thread's.

#include <atomic>
#include <cstdint>
#include <cstring>

#include "capture/tables/files.hpp"

namespace trikal::capture {

class RecentFiles {
 public:
  [[nodiscard]] File* find(std::string_view name) const noexcept {
    const std::uint64_t mark = mark_of(name);
    const Slot& slot = slots_[slot_of(mark)];
    // A different name is told by its mark alone: the file itself is far away.
    if (slot.mark.load(std::memory_order_relaxed) != mark) return nullptr;
    File* file = slot.file.load(std::memory_order_acquire);
    return file != nullptr && file->text() == name ? file : nullptr;
  }
  void add(File* file) noexcept {
    const std::uint64_t mark = mark_of(file->text());
    Slot& slot = slots_[slot_of(mark)];
    slot.file.store(file, std::memory_order_release);
    slot.mark.store(mark, std::memory_order_relaxed);
  }
  // After a fork: the parent's files are not the child's.
  void forget() noexcept {
    for (Slot& slot : slots_) {
      if (slot.file.load(std::memory_order_relaxed) != nullptr) slot.file.store(nullptr, std::memory_order_relaxed);
    }
  }

 private:
  static constexpr unsigned kBits = 6;
  struct Slot {
    std::atomic<std::uint64_t> mark{0};
    std::atomic<File*> file{nullptr};
  };

  // Names differ most at their ends.
  [[nodiscard]] static std::uint64_t mark_of(std::string_view name) noexcept {
    std::uint64_t tail = 0;
    if (name.size() >= sizeof tail) std::memcpy(&tail, name.data() + name.size() - sizeof tail, sizeof tail);
    return tail + name.size();
  }
  [[nodiscard]] static std::size_t slot_of(std::uint64_t mark) noexcept {
    return static_cast<std::size_t>(mark * 0x9e3779b97f4a7c15ULL >> (64 - kBits));
  }

  Slot slots_[std::size_t{1} << kBits];
};

}  // namespace trikal::capture
