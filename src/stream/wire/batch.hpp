#pragma once
// What is sent from where a program runs to where it is stored: batches of rollups and events with the dictionary they need. One
// process hands them over in memory today; the bytes are for those that come over a network.
// Format: docs/formats/stream.md.

#include <cstdint>
#include <string>
#include <vector>

#include "base/bytes.hpp"
#include "base/result.hpp"
#include "schema/operations.hpp"
#include "stream/wire/ring.hpp"

namespace trikal::stream {

// Times are nanoseconds since 1970 on an axis that never steps back.
using Nanoseconds = std::int64_t;
inline constexpr Nanoseconds kSecond = 1'000'000'000;

// Durations are whole steps of the log's clock, so that sums are exact.
inline constexpr double kStepsPerSecond = 1048576;

struct RunEntry {
  std::uint64_t run = 0;
  Nanoseconds start = 0;
  std::string command, host;
  bool operator==(const RunEntry&) const = default;
};

enum class ProcessState : std::uint8_t { kRunning, kEnded, kExec, kGone };

struct ProcessEntry {
  std::uint64_t process = 0, run = 0;
  std::int64_t pid = 0, parent = 0;
  std::int64_t rank = -1;  // -1: none is known
  std::uint32_t generation = 0;
  ProcessState state = ProcessState::kRunning;
  Nanoseconds start = 0;
  std::string host, command;
  std::int64_t uid = -1, job = -1;  // -1: not known
  std::string program = {};  // path of its file; empty: not known
  bool operator==(const ProcessEntry&) const = default;
};

struct FileEntry {
  std::uint64_t file = 0;
  std::string name;
  bool operator==(const FileEntry&) const = default;
};

// What a process did with a file through one interface in an interval.
struct Amount {
  std::uint64_t calls = 0, bytes = 0, steps = 0;
  bool operator==(const Amount&) const = default;
};
struct Rollup {
  std::uint64_t process = 0, file = 0;
  ModuleId module = 0;
  Operation operation = Operation::kRead;
  Amount amount;
  bool operator==(const Rollup&) const = default;
};
struct Interval {
  // Longer than this: what a process had done before anybody looked at it. When, nobody knows.
  static constexpr Nanoseconds kLongest = 10 * kSecond;
  Nanoseconds begin = 0, end = 0;
  std::vector<Rollup> rows;
  [[nodiscard]] bool is_history() const { return end - begin > kLongest; }
  bool operator==(const Interval&) const = default;
};

// Of the machine. A counter comes as what it grew by in a second.
struct SystemValue {
  Nanoseconds time = 0;
  std::string metric, device;
  double value = 0;
  bool operator==(const SystemValue&) const = default;
};

struct FindingEntry {
  std::uint64_t run = 0;
  Nanoseconds time = 0;
  std::string code, title, severity;
  double seconds = 0;  // lost so far; negative: no price is known
  bool operator==(const FindingEntry&) const = default;
};

// What could not be told exactly, by cause.
struct DropEntry {
  std::uint64_t process = 0;
  std::string cause;
  std::uint64_t count = 0;  // so far
  bool operator==(const DropEntry&) const = default;
};

// Events of a process: those of each thread in the order they were told.
struct EventList {
  std::uint64_t process = 0, run = 0;
  std::vector<EventRecord> events;
  std::vector<EventDetails> details;  // one for each event, or none
  bool operator==(const EventList&) const = default;
};

// What became of the events of a thread since the batch before. Emitted are those that were stored or dropped.
struct EventCountEntry {
  std::uint64_t process = 0;
  std::int64_t thread = -1;  // -1: of threads that are not known
  std::uint64_t stored = 0;
  std::uint64_t ring_full = 0, without_ring = 0;  // dropped
  std::uint64_t sampled_out = 0, filtered = 0;  // not emitted
  bool operator==(const EventCountEntry&) const = default;
};

// How far a ring was read and told, so that another reader can go on from there.
struct RingEntry {
  static constexpr std::int64_t kNone = -1;  // `dropped` counts events of threads without a ring
  std::uint64_t process = 0;
  std::int64_t ring = kNone;  // counted from 0 in the file
  std::uint64_t tail = 0, dropped = 0, sampled_out = 0, filtered = 0;
  bool operator==(const RingEntry&) const = default;
};

// Names of what events of a process have numbers of.
struct OperationEntry {
  std::uint64_t process = 0;
  std::uint32_t operation = 0;
  std::string interface, word;
  bool operator==(const OperationEntry&) const = default;
};
struct ObjectEntry {
  std::uint64_t process = 0, object = 0;
  std::string path;
  bool operator==(const ObjectEntry&) const = default;
};

// A part of the run that a process has named (annotate.h).
struct PhaseEntry {
  std::uint64_t process = 0, number = 0;  // number: of all that the process has named
  std::uint32_t thread = 0, depth = 0;  // depth: phases around it in its thread
  Nanoseconds begin = 0, end = 0;  // end 0: it goes on
  std::string name = {};
  bool operator==(const PhaseEntry&) const = default;
};

struct Batch {
  std::uint64_t source = 0, sequence = 0;
  std::string host;
  std::vector<RunEntry> runs;
  std::vector<ProcessEntry> processes;
  std::vector<FileEntry> files;
  std::vector<Interval> intervals;
  std::vector<SystemValue> system;
  std::vector<FindingEntry> findings;
  std::vector<DropEntry> drops;
  std::vector<EventList> events;
  std::vector<EventCountEntry> event_counts;
  std::vector<RingEntry> rings;
  std::vector<OperationEntry> operations;
  std::vector<ObjectEntry> objects;
  std::vector<PhaseEntry> phases = {};
  bool operator==(const Batch&) const = default;

  [[nodiscard]] bool empty() const;
  // All but the sender's name and number.
  void clear();
};

inline constexpr std::size_t kLargestBatch = 16 * 1024 * 1024;

[[nodiscard]] std::vector<std::byte> encode(const Batch& batch);
// Believes nothing: what it allocates is bounded by the bytes that are there.
[[nodiscard]] Result<Batch> decode(Bytes bytes);

}  // namespace trikal::stream
