#pragma once
// Rows of a heat map from a trace, for logs that have no map: the bytes of an access spread evenly over the time it took.

#include <map>
#include <vector>

#include "analyze/dataset/run.hpp"
#include "modules/dxt/segments.hpp"

namespace trikal::analyze {

class TraceHeat {
 public:
  explicit TraceHeat(double run_seconds);
  void add(std::int64_t rank, bool is_write, const modules::dxt::Segment& segment);
  // By rank. None of a job of very many ranks: that would take more memory than the page is worth.
  [[nodiscard]] std::vector<HeatRow> rows() const;

 private:
  static constexpr std::size_t kSlices = 200, kMostRanks = 4096;
  struct Row {
    std::vector<std::int64_t> written, read;
  };
  [[nodiscard]] std::size_t slice_of(double time) const;

  double width_;
  std::map<std::int64_t, Row> rows_;
  bool too_many_ = false;
};

}  // namespace trikal::analyze
