#pragma once
// Traces made comparable: one block of bytes a record, with its head, its sums and, if asked for, all its segments.

#include <vector>

#include "analyze/compare/record_diff.hpp"
#include "log/read/records.hpp"

namespace trikal::analyze {

// Records one at a time whatever their shape. Traces come as blocks that compare_traces understands.
class RecordPull {
 public:
  // `segments`: keep them, as long as a record takes no more than `memory`.
  RecordPull(log::RecordStream& stream, bool segments, std::uint64_t memory)
      : stream_(stream), segments_(segments), memory_(memory) {}

  // False at the end; `record` is valid until the next call.
  [[nodiscard]] Result<bool> next(Bytes& record);

 private:
  [[nodiscard]] Result<bool> next_trace(Bytes& record);
  void add_segments();

  log::RecordStream& stream_;
  bool segments_;
  std::uint64_t memory_;
  log::Batch batch_;
  std::size_t at_ = 0;
  std::vector<std::byte> block_;
};

void compare_traces(Bytes a, Bytes b, const CompareOptions& options, RecordReporter& reporter);

}  // namespace trikal::analyze
