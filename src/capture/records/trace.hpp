#pragma once
// The listener that keeps every event, where a trace is asked for: coded (log/crash/trace_code.hpp), in chunks of the crash map,
// so that a killed process has its trace. Threads share a few streams, each with a lock of its own, so they rarely wait.
//
// Memory is bounded. When it ends, the trace is thinned: of the files with the most events one event of two is kept, of those
// with still more one of four, and so on, until half of the memory is free; from then on the same share of new events is kept.
// Files with few events stay whole. Of each file it is known how many events there were and how many are kept.

#include "capture/events/event.hpp"
#include "capture/guard/spin.hpp"
#include "capture/session/session.hpp"
#include "log/crash/trace_code.hpp"

namespace trikal::capture {

class Trace {
 public:
  // Under the guard, no lock held.
  [[gnu::hot]] void hear(const Event& event) noexcept;
  // In the child, which has a map of its own.
  void after_fork() noexcept;

  static constexpr std::uint32_t kChunkBytes = 16 * 1024;
  static constexpr std::size_t kMostFiles = 65536;  // of a process; the events of others are counted only

 private:
  using Slot = log::crash::TracedSlot;
  using Chunk = log::crash::Chunk;
  using Coded = log::crash::TraceEvent;

  struct Found {
    std::uint64_t id = 0;
    std::uint32_t interface = 0, number = 0;
    bool is_left_out = false;
    Slot* slot = nullptr;
  };
  struct Stream {
    static constexpr std::size_t kFound = 64;
    Spin lock;
    const log::crash::Header* owner = nullptr;  // the map that all of this is about
    Chunk* chunk = nullptr;  // the one that is written to
    std::byte *at = nullptr, *end = nullptr;  // in it
    std::uint32_t last = 0, chunks = 0;  // index of that one, and how many there are
    log::crash::TraceState state;
    Found found[kFound];
  };
  // Where a thinned trace goes: into the chunks it comes from.
  struct Cursor;
  struct Thinning;

  static constexpr std::uint32_t kStreams = 16, kLostBetweenTries = 65536;
  static constexpr std::uint32_t kRests = log::crash::kTraceModules + 1;  // one for each interface, one for all modules
  static constexpr std::size_t kEntries = 2 * kMostFiles;  // a power of two

  bool put(Stream& stream, const Event& event) noexcept;
  void write(Stream& stream, const Found& file, const Event& event) noexcept;
  void lose(Stream& stream, const Event& event) noexcept;
  void choose_rules() noexcept;
  [[nodiscard]] bool is_in_window(const Event& event) const noexcept {
    return event.when.begin >= from_ && event.when.begin < until_;
  }
  [[nodiscard]] Found& file_of(Stream& stream, const Event& event) noexcept;
  [[gnu::noinline, gnu::cold]] void find(Found& wanted) noexcept;
  [[nodiscard]] Slot* add_slot(std::uint64_t id, std::uint32_t interface) noexcept;
  [[gnu::noinline, gnu::cold]] bool begin(Stream& stream) noexcept;
  bool begin_files() noexcept;
  [[gnu::noinline, gnu::cold]] bool next_chunk(Stream& stream) noexcept;
  [[nodiscard]] Chunk* take_chunk(const Stream& stream) noexcept;
  static void write_to(Stream& stream, Chunk* chunk) noexcept;

  // trace_thin.cpp
  [[gnu::noinline, gnu::cold]] bool thin(std::uint32_t known_state) noexcept;
  bool thin_all() noexcept;
  bool choose(Thinning& thinning) noexcept;
  void rewrite(Stream& stream, Thinning& thinning) noexcept;
  void give_back(Stream& stream) noexcept;
  [[nodiscard]] std::size_t index_of(const Stream& stream) const noexcept {
    return static_cast<std::size_t>(&stream - streams_);
  }
  [[nodiscard]] Chunk** chunks_of(const Stream& stream) const noexcept {
    return chunks_ + index_of(stream) * most_chunks_;
  }

  Stream streams_[kStreams];
  double from_ = 0, until_ = 0;  // seconds of the session
  Spin files_lock_;  // of the files
  const log::crash::Header* owner_ = nullptr;
  Slot** slots_ = nullptr;  // by number
  std::uint32_t* table_ = nullptr;  // numbers plus 1, by id and interface
  std::uint32_t numbers_ = 0;
  Chunk* slot_chunk_ = nullptr;
  Spin memory_lock_;  // of the chunks that nobody uses
  Chunk** chunks_ = nullptr;  // of each stream, in the order they were written
  Chunk** free_ = nullptr;
  std::size_t most_chunks_ = 0, free_count_ = 0, memory_ = 0, cap_ = 0;
  Spin thin_lock_;
  std::atomic<std::uint32_t> thinned_{0};  // how often
  std::atomic<std::uint32_t> backoff_{0};  // events to lose before it is tried again: there was nothing to thin
};
extern constinit Trace trace;

}  // namespace trikal::capture
