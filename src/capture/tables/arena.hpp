#pragma once
// The memory of a session: a crash map that grows on demand up to a cap, or plain memory where no map can be had.
// Address space is taken in extents, each as large as all before it: programs run under limits of it (ulimit -v), and what
// is mapped counts when a program locks its memory. Pages come as they are needed, and never before the file system has
// promised them (touching a page that a full tmpfs cannot give would kill the application).

#include <cstddef>
#include <cstdint>

#include "base/bytes.hpp"
#include "capture/guard/spin.hpp"
#include "log/crash/layout.hpp"

namespace trikal::capture {

class Arena {
 public:
  static constexpr std::size_t kFirstBytes = 16 * 1024;  // enough for a process that uses a file or two
  // Of a process that most often becomes another program and has nothing to keep until then.
  static constexpr std::size_t kHeaderOnly = log::crash::kHeaderBytes;

  struct Location {
    const char* path = nullptr;  // of the map; null: plain memory
    std::size_t cap = 0;
    // Another path where no map can be made at the last one; null: there is none.
    const char* (*elsewhere)(void* context) noexcept = nullptr;
    void* context = nullptr;
    std::size_t first = kFirstBytes;  // what there is at once
  };

  // False: no memory at all, observation stays off.
  bool begin(const Location& location) noexcept;
  // In plain memory until the first chunk is asked for: `settle` is then called once, under the arena's lock, and may
  // move_to_file. Most processes never get that far, and need no file.
  bool begin_without_file(std::size_t cap, void (*settle)() noexcept) noexcept;
  // Before there is any chunk. The header stays where it is in memory.
  bool move_to_file(const Location& location) noexcept;
  // A forked child leaves its parent's map (still mapped: offsets are shared through it) and begins its own.
  void forget_parents() noexcept { lock_.reset(); }

  [[nodiscard]] log::crash::Header* header() const noexcept { return header_; }
  [[nodiscard]] bool file_backed() const noexcept { return path_[0] != '\0'; }
  [[nodiscard]] const char* path() const noexcept { return path_; }
  // All of it in one piece, for whoever reads it at the end; empty if there is no address space for that.
  [[nodiscard]] Bytes bytes() noexcept;

  struct Shape {
    log::crash::ChunkKind kind = log::crash::ChunkKind::kOther;
    std::uint32_t module = 0;
    std::uint32_t stride = 1;
    std::uint32_t record_bytes = 0;
    std::uint32_t slots = 0;
  };
  // The end of the arena is kept for the records that stand for many files once the rest is full.
  enum class Use : bool { kNormal, kReserve };

  // A new chunk, zeroed; null at the cap.
  log::crash::Chunk* add_chunk(const Shape& shape, Use use) noexcept;

  // Removes the file, unmaps nothing.
  void remove() noexcept;
  // The same for a while: with put_back the file is there again, and what was written meanwhile is in it.
  void set_aside() noexcept;
  void put_back() noexcept;

 private:
  // A part of the map. They follow each other in the file, not in memory.
  struct Extent {
    std::byte* base = nullptr;
    std::size_t offset = 0;  // in the map
    std::size_t bytes = 0;  // of address space
    [[nodiscard]] std::byte* at(std::size_t in_map) const noexcept { return base + (in_map - offset); }
    [[nodiscard]] std::size_t end() const noexcept { return offset + bytes; }
  };
  [[nodiscard]] Extent& last() noexcept { return extent_[extents_ - 1]; }
  [[nodiscard]] Extent& holding(std::size_t in_map) noexcept;
  [[nodiscard]] std::size_t mapped_of(std::size_t extent) const noexcept {
    return (extent + 1 < extents_ ? extent_[extent + 1].offset : mapped_) - extent_[extent].offset;
  }
  bool add_extent(std::size_t needed) noexcept;
  void drop_empty_extent() noexcept;
  [[nodiscard]] log::crash::Chunk* make_chunk(const Shape& shape, std::size_t at, std::size_t bytes) noexcept;
  void clear(std::size_t cap) noexcept;
  bool begin_header() noexcept;
  [[nodiscard]] long make_file(const char* path, std::size_t bytes) noexcept;
  bool begin_file(const char* path, std::size_t first) noexcept;
  bool move_to_path(const char* path) noexcept;
  template <class Attempt>
  static bool any_path(const Location& location, const Attempt& attempt) noexcept;
  bool map_more(std::size_t bytes) noexcept;
  bool map_file(long descriptor, std::size_t bytes) noexcept;

  static constexpr std::size_t kLeastCap = 64 * 1024;
  static constexpr std::size_t kMostAtOnce = 1024 * 1024;
  static constexpr std::size_t kPathBytes = 512;
  static constexpr std::size_t kReserveBytes = 256 * 1024;
  static constexpr std::size_t kFirstExtent = 1024 * 1024;
  static constexpr std::size_t kMostExtents = 32;

  std::size_t cap_ = 0, mapped_ = 0;
  std::uint64_t inode_ = 0;
  log::crash::Header* header_ = nullptr;
  Spin lock_;
  std::size_t extents_ = 0;
  void (*settle_)() noexcept = nullptr;  // what is to be done before the first chunk
  Bytes joined_;  // what bytes() made
  Extent extent_[kMostExtents];
  char path_[kPathBytes] = {};
};

[[nodiscard]] inline std::byte* slots_of(log::crash::Chunk* chunk) noexcept {
  return reinterpret_cast<std::byte*>(chunk) + log::crash::kChunkHeader;
}

}  // namespace trikal::capture
