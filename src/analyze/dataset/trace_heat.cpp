#include "analyze/dataset/trace_heat.hpp"

#include <algorithm>
#include <cmath>

namespace trikal::analyze {

TraceHeat::TraceHeat(double run_seconds)
    : width_(std::max(1e-3, std::isfinite(run_seconds) ? run_seconds : 0) / static_cast<double>(kSlices)) {}

void TraceHeat::add(std::int64_t rank, bool is_write, const modules::dxt::Segment& segment) {
  if (too_many_ || !(segment.start <= segment.end)) return;
  Row& row = rows_[rank];
  if (rows_.size() > kMostRanks) return rows_.clear(), void(too_many_ = true);
  auto& slices = is_write ? row.written : row.read;
  slices.resize(kSlices);
  const std::size_t first = slice_of(segment.start), last = slice_of(segment.end);
  std::int64_t so_far = 0;
  for (std::size_t slice = first; slice <= last; ++slice) {
    const double share = (static_cast<double>(slice + 1) * width_ - segment.start) / (segment.end - segment.start);
    const std::int64_t until =
        slice == last ? segment.length : std::llround(std::clamp(share, 0.0, 1.0) * static_cast<double>(segment.length));
    // More than any run moves may be in a log: sums end there.
    if (__builtin_add_overflow(slices[slice], until - so_far, &slices[slice])) slices[slice] = INT64_MAX;
    so_far = until;
  }
}

std::vector<HeatRow> TraceHeat::rows() const {
  std::vector<HeatRow> rows;
  for (const auto& [rank, row] : rows_) {
    HeatRow& heat = rows.emplace_back(HeatRow{
        .interface = "POSIX, from the trace", .rank = rank, .width = width_, .written = row.written, .read = row.read});
    heat.written.resize(kSlices), heat.read.resize(kSlices);
  }
  return rows;
}

std::size_t TraceHeat::slice_of(double time) const {
  return static_cast<std::size_t>(std::clamp(std::floor(time / width_), 0.0, static_cast<double>(kSlices - 1)));
}

}  // namespace trikal::analyze
