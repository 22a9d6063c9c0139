#pragma once
// Bytes over time by rank, from traces: for logs that have no heatmap, or one with few slices of a short run.

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "analyze/dataset/run.hpp"
#include "modules/dxt/segments.hpp"

namespace trikal::analyze {

inline constexpr std::size_t kTraceSlices = 200;  // of a run, as heatmaps have

class TraceHeat {
 public:
  TraceHeat(double run_seconds, std::int64_t ranks);

  // Null where nothing can be drawn: the run took no time. Valid until rows() takes it away.
  [[nodiscard]] HeatRow* row(std::string_view interface, std::int64_t rank);
  // An access over several slices counts in each by the time that it lies there.
  static void add(HeatRow& row, bool is_write, const modules::dxt::Segment& segment);
  // By interface, then rank.
  [[nodiscard]] std::vector<HeatRow> rows() &&;

 private:
  double width_;
  std::int64_t together_;  // ranks that share a row: there may be a million
  std::map<std::pair<std::string, std::int64_t>, HeatRow> rows_;
};

}  // namespace trikal::analyze
