#pragma once
// The event rings of one process, read while it runs and after it is gone. Its bytes may be anything: where a ring lies is checked
// once and never read again, and no count from the file is followed without a look at what it can be.

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "stream/wire/batch.hpp"
#include "stream/wire/ring.hpp"

namespace trikal::gather {

// emitted = stored + dropped, by what the process has counted.
struct EventCounts {
  std::uint64_t stored = 0;  // that were read
  std::uint64_t full = 0, without_ring = 0;  // dropped: the thread's ring was full; it found no memory for one
  std::uint64_t sampled_out = 0, filtered = 0;  // not asked for

  [[nodiscard]] std::uint64_t dropped() const { return full + without_ring; }
  [[nodiscard]] std::uint64_t emitted() const { return stored + dropped(); }
  EventCounts& operator+=(const EventCounts& other);
};

// Events of a process: those of each thread in the order they were told. Views are good until the call returns.
struct EventBatch {
  using Counts = std::map<std::uint32_t, EventCounts>;  // by number of the thread
  std::span<const stream::EventRecord> events;
  std::span<const stream::EventDetails> details;  // one for each event, or none
  // What was counted since the batch before, and how far the rings are read that were read on.
  const Counts& counts;
  std::uint64_t without_ring;  // of threads that are not known
  std::span<const stream::RingEntry> rings;  // their process is for the caller to fill in
};

class RingFile {
 public:
  using Use = std::function<void(const EventBatch& batch)>;

  // Refuses what is no regular file of this user's own, or not of this layout.
  static Result<RingFile> open(const std::string& path);
  RingFile(RingFile&& other) noexcept;
  RingFile& operator=(RingFile&&) = delete;
  ~RingFile();

  // Before anything is read: rings were read so far by one who is gone. What they say themselves may be less.
  void resume(const std::vector<stream::RingEntry>& rings);

  // Everything that is there by now, which stays there until advance() says that it is done with; else it is read again. An
  // error: the file is not what it was; nothing more is read from it.
  Status read(const Use& use);
  void advance();
  // Both at once.
  Status drain(const Use& use);
  // Nobody else has it open through us: whether others have can be asked then. drain() opens it again.
  void release();

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const log::crash::Identity& identity() const { return identity_; }
  [[nodiscard]] std::uint32_t sample() const { return sample_; }
  [[nodiscard]] std::int64_t start_sec() const { return start_sec_; }
  [[nodiscard]] std::int64_t start_nsec() const { return start_nsec_; }
  // Of what is done with; by number of the thread, and of threads without a ring.
  [[nodiscard]] const std::map<std::uint32_t, EventCounts>& threads() const { return threads_; }
  [[nodiscard]] EventCounts counts() const;
  [[nodiscard]] bool has_more() const { return more_; }  // that came while the last ones were read

 private:
  // Where a ring lies, as it was when it was first seen.
  struct Known {
    std::size_t at = 0;
    std::uint32_t slots = 0;
    stream::RingEntry done, read;  // as far as advance() was told, and as far as they were read
  };

  RingFile() = default;
  Status map();
  Status find_rings(std::size_t used);
  Status read_ring(Known& known);
  void copy_slots(const Known& known, const stream::Ring& ring, std::uint64_t count);
  [[nodiscard]] EventCounts& fresh_of(std::uint32_t thread);
  [[nodiscard]] bool is_in_order() const;
  void sort_by_thread();
  void hand_out(const Use& use);
  [[nodiscard]] stream::RingEntry begin_of(const stream::Ring& ring, std::int64_t number) const;
  [[nodiscard]] stream::RingFileHeader& header() const { return *reinterpret_cast<stream::RingFileHeader*>(base_); }

  std::string path_;
  int descriptor_ = -1;
  std::byte* base_ = nullptr;
  std::size_t mapped_ = 0;
  std::uint32_t stride_ = 0, sample_ = 1;
  std::size_t next_ring_ = 0;
  log::crash::Identity identity_;
  std::vector<Known> rings_;
  std::vector<stream::EventRecord> events_;
  std::vector<stream::EventDetails> details_;
  std::map<std::int64_t, stream::RingEntry> resumed_;  // by number of the ring
  std::vector<stream::RingEntry> progress_;
  EventBatch::Counts threads_, fresh_;  // of what is done with, and of what was read since
  std::uint64_t without_ring_ = 0, without_ring_seen_ = 0, without_ring_read_ = 0;
  std::int64_t start_sec_ = 0, start_nsec_ = 0;
  bool more_ = false;
};

}  // namespace trikal::gather
