#include "analyze/dataset/trace_heat.hpp"

#include <algorithm>

namespace trikal::analyze {
namespace {

constexpr std::int64_t kMostRows = 8192;

// The slice of a moment; a log may say anything, so one that lies outside the run is put to its end.
std::size_t slice_at(double seconds, double width) {
  const double slice = seconds / width;
  if (!(slice > 0)) return 0;
  return slice < static_cast<double>(kTraceSlices) ? static_cast<std::size_t>(slice) : kTraceSlices - 1;
}

}  // namespace

TraceHeat::TraceHeat(double run_seconds, std::int64_t ranks)
    : width_(run_seconds > 0 ? run_seconds / static_cast<double>(kTraceSlices) : 0),
      together_(std::max<std::int64_t>(1, (ranks + kMostRows - 1) / kMostRows)) {}

HeatRow* TraceHeat::row(std::string_view interface, std::int64_t rank) {
  if (!(width_ > 0)) return nullptr;
  const std::int64_t first = rank - rank % together_;
  const auto [found, is_new] = rows_.try_emplace({std::string(interface), first});
  if (is_new)
    found->second = {.interface = std::string(interface),
                     .rank = first,
                     .width = width_,
                     .written = std::vector<std::int64_t>(kTraceSlices),
                     .read = std::vector<std::int64_t>(kTraceSlices)};
  return &found->second;
}

void TraceHeat::add(HeatRow& row, bool is_write, const modules::dxt::Segment& segment) {
  std::vector<std::int64_t>& slices = is_write ? row.written : row.read;
  const double begin = std::max(0.0, segment.start), length = segment.end - begin;
  const std::size_t first = slice_at(begin, row.width), last = slice_at(segment.end, row.width);
  std::int64_t left = segment.length;
  for (std::size_t slice = first; slice < last && length > 0; ++slice) {
    const double from = std::max(begin, static_cast<double>(slice) * row.width);
    const double share = (static_cast<double>(slice + 1) * row.width - from) / length;
    const auto here = static_cast<std::int64_t>(static_cast<double>(segment.length) * std::clamp(share, 0.0, 1.0));
    slices[slice] += std::min(here, left), left -= std::min(here, left);
  }
  slices[std::max(first, last)] += left;
}

std::vector<HeatRow> TraceHeat::rows() && {
  std::vector<HeatRow> rows;
  rows.reserve(rows_.size());
  for (auto& [key, row] : rows_) rows.push_back(std::move(row));
  rows_.clear();
  return rows;
}

}  // namespace trikal::analyze
