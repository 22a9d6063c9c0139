#pragma once
// The trace of a process, as its crash map has it: events become records of the modules that have a TraceForm (DXT), and rows of
// the trailer say of each file how many events there were and how many were kept. No heap: a process does this for itself, too.

#include <span>

#include "log/crash/to_log.hpp"
#include "log/crash/trace_code.hpp"
#include "log/trailer/writer.hpp"
#include "modules/dxt/segments.hpp"

namespace trikal::log::crash {

// Zeroed memory in pages of its own; null where there is none.
class TracePages {
 public:
  TracePages() = default;
  explicit TracePages(std::uint64_t bytes) noexcept;
  ~TracePages();
  TracePages(const TracePages&) = delete;
  TracePages& operator=(const TracePages&) = delete;
  void take(std::uint64_t bytes) noexcept;

  template <class T>
  [[nodiscard]] T* as() const noexcept {
    return static_cast<T*>(at_);
  }

 private:
  void* at_ = nullptr;
  std::size_t bytes_ = 0;
};

// To a nanosecond, in steps that leave the last digits of the number empty.
[[nodiscard]] double trace_seconds(std::uint64_t nanoseconds) noexcept;

enum class TraceWay : std::uint8_t { kNone, kWrite, kRead };
// Of an access to data.
[[nodiscard]] constexpr TraceWay trace_way(Operation operation) noexcept {
  switch (operation) {
    case Operation::kRead:
    case Operation::kStreamRead:
    case Operation::kMpiRead:
    case Operation::kMpiCollectiveRead:
    case Operation::kMpiSplitRead:
    case Operation::kMpiNonblockingRead:
    case Operation::kHdf5Read: return TraceWay::kRead;
    case Operation::kWrite:
    case Operation::kStreamWrite:
    case Operation::kMpiWrite:
    case Operation::kMpiCollectiveWrite:
    case Operation::kMpiSplitWrite:
    case Operation::kMpiNonblockingWrite:
    case Operation::kHdf5Write: return TraceWay::kWrite;
    default: return TraceWay::kNone;
  }
}

// What was traced of one file through one interface, and where its accesses lie among all.
struct TracedFile {
  static constexpr std::uint32_t kLeftOut = UINT32_MAX;  // as interface: no rule wants it in the log
  std::uint64_t id = 0;
  std::uint32_t interface = 0, one_of = 1;
  std::uint64_t events = 0, lost = 0;  // as the process counted them
  std::uint64_t found = 0;  // in its chunks
  std::uint64_t writes = 0, reads = 0;  // of those
  std::uint64_t first = 0;  // of its segments: writes, then reads

  // What is there of it, whatever became of the rest.
  [[nodiscard]] std::uint64_t kept(bool has_events) const noexcept;
};

// The files a trace knows, by number.
class TracedFiles {
 public:
  // Counts the events, too.
  explicit TracedFiles(const MapView& map) noexcept;
  [[nodiscard]] std::span<TracedFile> all() const noexcept { return {pages_.as<TracedFile>(), count_}; }
  // Whether there are chunks of events: whoever has the rest of a map alone trusts what was counted.
  [[nodiscard]] bool has_events() const noexcept { return has_events_; }

 private:
  TracePages pages_;
  std::size_t count_ = 0;
  bool has_events_ = false;
};

// Calls use(slot) for every slot of a kind.
template <class Slot, class Use>
void for_each_slot_of(const MapView& map, ChunkKind kind, const Use& use) {
  map.for_each_chunk([&](const Chunk& chunk, Bytes bytes) {
    if (chunk.kind != kind || chunk.stride != sizeof(Slot)) return;
    for (std::size_t at = 0; at + sizeof(Slot) <= bytes.size(); at += sizeof(Slot))
      use(*reinterpret_cast<const Slot*>(bytes.data() + at));
  });
}

[[nodiscard]] bool has_trace_rules(const MapView& map) noexcept;
// Leaves out the files that the rules of a map do not want.
void apply_rules(const MapView& map, std::span<TracedFile> files) noexcept;

// Calls use(event) for each event of a trace, stream by stream.
template <class Use>
void for_each_event(const MapView& map, const Use& use) {
  map.for_each_chunk([&](const Chunk& chunk, Bytes slots) {
    if (chunk.kind != ChunkKind::kTrace || chunk.stride != 1) return;
    TraceReader reader(slots);
    for (TraceEvent event; reader.next(event);) use(event);
  });
}

// The accesses of one process through one interface, file by file in order of time.
class TraceSegments {
 public:
  using Segment = modules::dxt::Segment;
  // `shift`: seconds to the job's clock.
  TraceSegments(const MapView& map, const TraceForm& form, double shift) noexcept;
  [[nodiscard]] std::span<const TracedFile> files() const noexcept { return files_.all(); }
  // Empty for files of other interfaces.
  [[nodiscard]] std::span<const Segment> of(const TracedFile& file) const noexcept;

 private:
  void fill(const TraceForm& form, std::uint64_t total, const MapView& map, double shift) noexcept;
  TracedFiles files_;
  TracePages pages_;
};

[[nodiscard]] bool has_trace(const MapView& map, const TraceForm& form) noexcept;
// The records of a module that are made of the trace.
void for_each_trace_record(const Process& process, const ModuleSchema& schema, const RecordUse& use);
// A bit for each module whose trace is not whole, as the header of a log has them.
[[nodiscard]] std::uint64_t thinned_modules(std::span<const Process> processes, Schemas schemas) noexcept;
// The section "traces".
[[nodiscard]] Status put_traces(TrailerWriter& trailer, std::span<const Process> processes) noexcept;
// The section "traced_calls": all that is in no record. Of processes whose events are there.
[[nodiscard]] Status put_traced_calls(TrailerWriter& trailer, std::span<const Process> processes) noexcept;
// The section "segment_threads", of processes whose records are in the log in this order.
[[nodiscard]] Status put_segment_threads(TrailerWriter& trailer, std::span<const Process> processes,
                                         Schemas schemas) noexcept;

}  // namespace trikal::log::crash
