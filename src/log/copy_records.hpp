#pragma once
// Records from a log being read into a log being written, changed on the way. Used by convert and merge.

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "log/read/records.hpp"
#include "log/trailer/writer.hpp"
#include "log/write/writer.hpp"
#include "schema/form.hpp"

namespace trikal::log {

// What happens to each record.
struct RecordEdit {
  std::function<bool(const std::byte* record)> keep;  // null: all; sees the record as it is in the log read
  std::function<void(std::byte* record)> finish;      // null: nothing; the last to change a record
  double shift = 0;                             // everything happened so many seconds later
  const TimeGrid* grid = nullptr;               // for records in bins of time; null: left as they are
  std::optional<std::int64_t> rank_shift;       // what is added to ranks; none: they stay
  bool one_process = false;                     // then a record shared by all ranks is that rank's

  [[nodiscard]] bool keeps(const std::byte* record) const { return !keep || keep(record); }
};

// A sliced module's data, looked through before it is copied: heads are written before their items are seen, and
// only the last record of a damaged region can have fewer items than it says.
struct TraceScan {
  std::uint64_t records = 0;
  std::uint64_t last_items = 0;  // of the last record
  bool threads = false;          // any item has its last word set
};
[[nodiscard]] Result<TraceScan> scan_trace(RecordStream& records);

// Changes records of one module.
class RecordEditor {
 public:
  RecordEditor(const ModuleSchema& schema, const RecordEdit& edit);

  [[nodiscard]] bool changes_records() const { return renumbers_ || !times_.empty() || edit_.finish != nullptr; }
  void apply(std::byte* record) const;

 private:
  void renumber(std::byte* record) const;

  RecordEdit edit_;
  bool renumbers_ = false;
  std::vector<std::size_t> times_;  // offsets of timestamps
  std::vector<std::size_t> ranks_;  // offsets of counters that are ranks
};

// Writes one module's records into the region that is open, from one stream or several.
class RecordCopier {
 public:
  RecordCopier(Writer& writer, const ModuleFormat& format) : writer_(writer), format_(format) {}

  // `scan` is of a stream over the same data; only sliced modules need it.
  Status copy(RecordStream& records, const RecordEdit& edit, const TraceScan& scan = {});
  [[nodiscard]] std::uint64_t copied() const { return copied_; }

 private:
  Status put_fixed(const Batch& batch, const RecordEdit& edit, const RecordEditor& editor);
  Status put_whole(const Batch& batch, const RecordEdit& edit, const RecordEditor& editor);
  Status put_slice(const Batch& batch, const RecordEdit& edit, const RecordEditor& editor, std::uint64_t most_items);
  Status put_items(const Batch& batch, const RecordEdit& edit);

  Writer& writer_;
  const ModuleFormat& format_;
  std::vector<std::byte> buffer_, narrow_;
  std::uint64_t copied_ = 0;
};

// Fills the section "segment_threads" for one module, in the order its records were copied.
class SegmentThreads {
 public:
  SegmentThreads(TrailerWriter& trailer, ModuleId module) : trailer_(trailer), module_(module) {}
  Status add(RecordStream& records, const RecordEdit& edit);

 private:
  Status put_run();

  TrailerWriter& trailer_;
  ModuleId module_;
  std::uint64_t record_ = 0, first_ = 0, count_ = 0, thread_ = 0;
};

}  // namespace trikal::log
