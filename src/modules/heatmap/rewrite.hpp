#pragma once
// Heatmaps of several logs on one axis of time, for tools.

#include "modules/heatmap/rebin.hpp"
#include "schema/rewrite.hpp"

namespace trikal::modules::heatmap {

inline void rebin(std::vector<std::byte>& record, double seconds, const TimeGrid& grid) {
  if (!has_width(record) || !(grid.width > 0)) return;
  double width = 0;
  std::vector<std::byte> now(kHeadBytes + 16 * static_cast<std::size_t>(fit_bins(grid, width)));
  if (rebin_into(record, seconds, grid, now) == now.size()) record = std::move(now);
}

inline constexpr Rewrite kRewrite = {.survey = survey, .rebin = rebin};

}  // namespace trikal::modules::heatmap
