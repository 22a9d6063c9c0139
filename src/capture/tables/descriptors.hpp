#pragma once
// Which file each descriptor stands for. One load and a test for every read and write.
//
// An open file description (what dup and fork share in the kernel) keeps its position in the shared map, so that
// a forked child and its parent move the same one.

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "capture/tables/arena.hpp"

namespace trikal::capture {

// Writes go to the end of the file. After a seek the offset does not tell where that is.
inline constexpr std::uint32_t kAppends = 1, kAppendsElsewhere = 2;

// On a cache line of its own: threads move the positions of different files.
struct alignas(64) OpenFile {
  std::atomic<std::int64_t> offset{0};
  std::uint32_t append = 0;  // 0: no; else kAppends, or kAppendsElsewhere after a seek
  std::uint32_t users = 0;  // descriptors of this process
  std::uint32_t forks = 0;  // how often the process had forked when this was made
  std::uint32_t brief = 0;  // opened through the POSIX module, which had a brief record of the file
  OpenFile* next_free = nullptr;
};

struct Descriptor {
  OpenFile* open = nullptr;  // null: not ours to watch
  void* record = nullptr;    // the POSIX module's; null after a fork and while it is brief, until first used
  const void* file = nullptr;  // File; survives a fork
  OpenFile* spare = nullptr;   // what this number had before: most numbers are opened again and again
};

class Descriptors {
 public:
  static constexpr int kMost = 1 << 20;

  bool begin(Arena& arena) noexcept;
  void after_fork_in_child(Arena& arena) noexcept;  // same descriptors, records to be made anew
  void after_fork_in_parent() noexcept { ++forks_; }

  [[nodiscard]] Descriptor* find(int fd) noexcept {
    if (static_cast<unsigned>(fd) >= limit_.load(std::memory_order_relaxed)) return nullptr;
    Descriptor* descriptor = &table_[fd];
    return descriptor->open == nullptr ? nullptr : descriptor;
  }

  // Nothing is found any more: the session has ended.
  void end() noexcept { limit_.store(0, std::memory_order_relaxed); }

  // What an open began with.
  struct Start {
    bool append = false;
    bool brief = false;
    std::int64_t offset = 0;
  };
  void open(int fd, Start start, void* record, const void* file) noexcept;
  // Another descriptor of the same open file.
  void share(int fd, OpenFile* open, void* record, const void* file) noexcept;
  void clear(int fd) noexcept;
  void clear_range(unsigned first, unsigned last) noexcept;
  [[nodiscard]] int highest() const noexcept { return highest_.load(std::memory_order_relaxed); }

  // Opened since the last fork: `file` is this process's own.
  [[nodiscard]] bool is_own(const Descriptor& descriptor) const noexcept { return descriptor.open->forks == forks_; }

  // Moves its position on; returns where it was. Where nobody else can move it at the same time, no other thread and no
  // other process, that need not be one step, which is a tenth of what noting a call costs.
  std::int64_t advance(Descriptor& descriptor, std::int64_t bytes) noexcept {
    std::atomic<std::int64_t>& offset = descriptor.open->offset;
    if (*alone == 0 || !is_own(descriptor)) return offset.fetch_add(bytes, std::memory_order_relaxed);
    const std::int64_t before = offset.load(std::memory_order_relaxed);
    offset.store(before + bytes, std::memory_order_relaxed);
    return before;
  }

 private:
  OpenFile* new_open_file() noexcept;
  OpenFile* take_for(Descriptor& descriptor) noexcept;
  void release(OpenFile* open) noexcept;
  void publish(int fd, OpenFile* open, void* record, const void* file) noexcept;

  Arena* arena_ = nullptr;
  Descriptor* table_ = nullptr;
  std::atomic<unsigned> limit_{0};  // 0 until the session runs
  std::atomic<int> highest_{-1};
  Spin lock_;
  log::crash::Chunk* pool_ = nullptr;
  OpenFile* free_ = nullptr;
  std::uint32_t forks_ = 0;
};

}  // namespace trikal::capture
