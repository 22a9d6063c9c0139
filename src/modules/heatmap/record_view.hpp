#pragma once
// HEATMAP records: the width of a bin, then all reads, then all writes; on disk the writes come first.

#include "modules/heatmap/schema.hpp"
#include "schema/record_view.hpp"

namespace trikal::modules::heatmap {

inline void values(Bytes record, RecordViewState& /*state*/, ValueSink& sink) {
  const auto bins = load<std::uint64_t>(record.data() + kBinsAt);
  const std::byte* writes = record.data() + kHeadBytes;
  const std::byte* reads = writes + 8 * bins;
  sink.real("HEATMAP_F_BIN_WIDTH_SECONDS", load<double>(record.data() + kWidthAt));
  NumberedName read_bin("HEATMAP_READ_BIN_");
  for (std::uint64_t i = 0; i < bins; ++i) sink.integer(read_bin(i), load<std::int64_t>(reads + 8 * i));
  NumberedName write_bin("HEATMAP_WRITE_BIN_");
  for (std::uint64_t i = 0; i < bins; ++i) sink.integer(write_bin(i), load<std::int64_t>(writes + 8 * i));
}

inline constexpr Counter kAlso[] = {
    real("HEATMAP_F_BIN_WIDTH_SECONDS", Unit::kSeconds, Fold::kKeep, "time a bin covers"),
    {"HEATMAP_READ_BIN_#", Unit::kBytes, Fold::kSum, "bytes read in this slice of time"},
    {"HEATMAP_WRITE_BIN_#", Unit::kBytes, Fold::kSum, "bytes written in this slice of time"},
};
inline constexpr RecordView kRecordView = {.values = values, .also = kAlso};

}  // namespace trikal::modules::heatmap
