#pragma once
// Which file each descriptor stands for. Two loads and two tests for every read and write.
//
// An open file description (what dup and fork share in the kernel) keeps its position in the shared map, so that
// a forked child and its parent move the same one.
//
// Threads close and reopen numbers while others are in the middle of a call on them. So a call takes what its number
// stands for once, before the real function runs (hold), and works on that: records are never given back, and an
// open file that is used again has another generation, which tells that its position is no longer this call's.

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "capture/tables/arena.hpp"
#include "capture/tables/number_table.hpp"

namespace trikal::capture {

// Writes go to the end of the file. After a seek the offset does not tell where that is.
inline constexpr std::uint32_t kAppends = 1, kAppendsElsewhere = 2;

// On a cache line of its own: threads move the positions of different files.
struct alignas(64) OpenFile {
  std::atomic<std::int64_t> offset{0};
  std::atomic<std::uint32_t> append{0};  // 0: no; else kAppends, or kAppendsElsewhere after a seek
  std::atomic<std::uint32_t> users{0};       // descriptors of this process
  std::uint32_t forks = 0;                   // how often the process had forked when this was made
  std::atomic<std::uint64_t> generation{0};  // odd while it is nobody's
  OpenFile* next_free = nullptr;
};

// In one word, so that no thread sees half of it: the record of the POSIX module, or the File that has none yet.
using Target = std::uintptr_t;
// Flags. A File: after a fork, and while its record is brief, until data is first touched.
inline constexpr Target kUnresolved = 1;
// The File is that of the process that forked this one.
inline constexpr Target kForeign = 2;
// A thread is about to close the number: calls are still counted, and an open replaces it.
inline constexpr Target kClosing = 4;
// Opened through the POSIX module, which had a brief record of the file.
inline constexpr Target kBrief = 8;
inline constexpr Target kTargetFlags = 15;
// Not zero: that there is a record, and a live one, is told by one test.
inline constexpr Target kUnwatched = kClosing;

struct Descriptor {
  std::atomic<OpenFile*> open{nullptr};  // stays behind when the number is closed
  std::atomic<Target> target{kUnwatched};
  std::atomic<const void*> file{nullptr};  // File; survives a fork
  std::atomic<OpenFile*> spare{nullptr};   // what this number had before: most numbers are opened again and again
};

// An open file as it was when a call on it began.
struct HeldOpen {
  OpenFile* open = nullptr;
  std::uint64_t generation = 0;

  // Whether it is still the same: its position is that of the call.
  [[nodiscard]] bool is_current() const noexcept {
    return open->generation.load(std::memory_order_relaxed) == generation;
  }
};

// Moves the position on; returns where it was. Only of one that is current.
[[nodiscard]] inline std::int64_t advance(OpenFile& open, std::int64_t bytes) noexcept {
  return open.offset.fetch_add(bytes, std::memory_order_relaxed);
}
[[nodiscard]] inline std::int64_t advance_alone(OpenFile& open, std::int64_t bytes) noexcept {
  const std::int64_t before = open.offset.load(std::memory_order_relaxed);
  open.offset.store(before + bytes, std::memory_order_relaxed);
  return before;
}

// What a number stood for when it was asked; small enough for two registers. False: nothing that is watched.
struct HeldTarget {
  Descriptor* slot = nullptr;
  Target target = kUnwatched;

  explicit operator bool() const noexcept { return (target & ~kTargetFlags) != 0; }
  [[nodiscard]] bool has(Target flag) const noexcept { return (target & flag) != 0; }
  template <class T>
  [[nodiscard]] T* as() const noexcept {
    return reinterpret_cast<T*>(target & ~kTargetFlags);
  }
};
using Closed = HeldTarget;

// The same with its open file.
struct Held : HeldTarget, HeldOpen {};

class Descriptors {
  using Table = NumberTable<Descriptor, 4096>;

 public:
  static constexpr int kMost = Table::kMost;

  bool begin(Arena& arena) noexcept;
  void after_fork_in_child(Arena& arena) noexcept;  // same descriptors, records to be made anew
  void after_fork_in_parent() noexcept { forks_.store(forks() + 1, std::memory_order_relaxed); }

  // The generation is read before the target: as long as no thread had begun to close the number by then, it is that of
  // the open file the target has. Calls at a position of their own do without.
  template <bool kWithGeneration = true>
  [[gnu::always_inline]] [[nodiscard]] Held hold(int fd) noexcept {
    Descriptor* slot = find(fd);
    if (slot == nullptr) return {};
    OpenFile* open = slot->open.load(std::memory_order_acquire);
    if (open == nullptr) return {};
    const std::uint64_t generation = kWithGeneration ? open->generation.load(std::memory_order_acquire) : 0;
    return {{slot, slot->target.load(std::memory_order_acquire)}, {open, generation}};
  }

  // Nothing is found any more: the session has ended.
  void end() noexcept { limit_.store(0, std::memory_order_relaxed); }

  // What an open began with.
  struct Start {
    bool append = false;
    bool brief = false;
    std::int64_t offset = 0;
  };
  // Without a record, that is found when it is needed.
  void open(int fd, Start start, void* record, const void* file) noexcept;
  // Another descriptor of the same open file. Where that was closed meanwhile, `offset` is where the new one is.
  void share(int fd, const Held& source, void* record, std::int64_t (*offset)(int fd) noexcept) noexcept;
  // The number is not watched (any more).
  void clear(int fd) noexcept;

  // Around the real close: afterwards the number may be another thread's, before it a call may still reach the file.
  // What was closed; nothing, if another thread is at it.
  [[nodiscard]] Closed begin_close(int fd) noexcept;
  void end_close(Closed closed) noexcept;
  void begin_close_range(unsigned first, unsigned last) noexcept;
  void end_close_range(unsigned first, unsigned last, bool closed) noexcept;

  [[nodiscard]] int highest() const noexcept { return highest_.load(std::memory_order_relaxed); }

  // Whether nobody else can move its position or close it at the same time, no other thread and no other process. Then a
  // step need not be atomic, which is a tenth of what noting a call costs.
  [[nodiscard]] bool is_alone_with(const OpenFile& open) const noexcept { return *alone != 0 && open.forks == forks(); }

 private:
  // Null: none that could be watched.
  [[gnu::always_inline]] [[nodiscard]] Descriptor* find(int fd) noexcept {
    if (static_cast<unsigned>(fd) >= limit_.load(std::memory_order_relaxed)) [[unlikely]]
      return find_high(fd);
    return table_.direct(static_cast<unsigned>(fd));
  }
  // Above the numbers that programs usually have.
  [[gnu::noinline, gnu::cold]] [[nodiscard]] Descriptor* find_high(int fd) noexcept;
  [[nodiscard]] Descriptor* make(int fd) noexcept;
  [[nodiscard]] std::uint32_t forks() const noexcept { return forks_.load(std::memory_order_relaxed); }
  OpenFile* new_open_file() noexcept;
  OpenFile* take_for(bool is_alone, Descriptor& slot) noexcept;
  void release(bool is_alone, Descriptor& slot, OpenFile* open) noexcept;
  void put_back(OpenFile* open) noexcept;
  void take_back(Descriptor& slot) noexcept;
  bool join(const Held& source) noexcept;
  void publish(bool is_alone, int fd, Descriptor& slot, OpenFile* open, Target target, const void* file) noexcept;
  template <class Use>
  void for_range(unsigned first, unsigned last, const Use& use) noexcept;

  Arena* arena_ = nullptr;
  Table table_;
  std::atomic<unsigned> limit_{0};  // of those that are found at once; 0 until the session runs
  std::atomic<int> highest_{-1};
  Spin lock_;
  log::crash::Chunk* pool_ = nullptr;
  OpenFile* free_ = nullptr;
  std::atomic<std::uint32_t> forks_{0};
};

}  // namespace trikal::capture
