#pragma once
// Heatmaps of several logs on one axis of time.

#include <algorithm>
#include <cmath>

#include "modules/heatmap/schema.hpp"
#include "schema/rewrite.hpp"

namespace trikal::modules::heatmap {

inline bool has_width(Bytes record) {
  const auto width = load<double>(record.data() + kWidthAt);
  return std::isfinite(width) && width > 0;
}

inline void survey(Bytes record, double seconds, TimeGrid& grid) {
  if (!has_width(record)) return;
  const auto width = load<double>(record.data() + kWidthAt);
  const auto bins = load<std::int64_t>(record.data() + kBinsAt);
  grid.width = std::max(grid.width, width);
  grid.end = std::max(grid.end, seconds + width * static_cast<double>(bins));
  grid.bins = std::max(grid.bins, bins);
}

// The grid's bins once its width was doubled until they are few enough, as the runtime does.
inline std::int64_t fit_bins(const TimeGrid& grid, double& width) {
  const auto most = static_cast<double>(std::max(kMostBins, grid.bins));
  constexpr double kSlack = 1e-6;  // 0.1 is not a tenth
  for (width = grid.width; grid.end / width > most + kSlack;) width *= 2;
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(grid.end / width - kSlack)));
}

// Bytes counted before the moment `at`, given in old bins; inside a bin they are spread evenly. Working with sums
// keeps the total exact whatever is rounded.
inline std::uint64_t sum_before(const std::byte* bins, const std::vector<std::uint64_t>& sums, double at) {
  if (!(at > 0)) return 0;
  const auto count = static_cast<double>(sums.size() - 1);
  if (at >= count) return sums.back();
  const double whole = std::floor(at);
  const auto bin = static_cast<std::size_t>(whole);
  const auto part = static_cast<double>(load<std::int64_t>(bins + 8 * bin)) * (at - whole);
  const double most = 9e18;
  return sums[bin] + static_cast<std::uint64_t>(std::llround(std::clamp(part, -most, most)));
}

inline void rebin_half(const std::byte* old, std::int64_t count, double old_width, double seconds, std::byte* now,
                       std::int64_t now_count, double now_width) {
  std::vector<std::uint64_t> sums(static_cast<std::size_t>(count) + 1);
  for (std::size_t i = 0; i + 1 < sums.size(); ++i) sums[i + 1] = sums[i] + load<std::uint64_t>(old + 8 * i);
  std::uint64_t before = 0;
  for (std::int64_t i = 0; i < now_count; ++i) {
    const double edge = now_width * static_cast<double>(i + 1) - seconds;
    const std::uint64_t here = i + 1 == now_count ? sums.back() : sum_before(old, sums, edge / old_width);
    store(now + 8 * i, here - before);
    before = here;
  }
}

inline void rebin(std::vector<std::byte>& record, double seconds, const TimeGrid& grid) {
  if (!has_width(record) || !(grid.width > 0)) return;
  double width = 0;
  const std::int64_t bins = fit_bins(grid, width);
  const auto old_bins = load<std::int64_t>(record.data() + kBinsAt);
  const auto old_width = load<double>(record.data() + kWidthAt);
  std::vector<std::byte> now(kHeadBytes + 16 * static_cast<std::size_t>(bins));
  std::copy_n(record.begin(), kHeadBytes, now.begin());
  store(now.data() + kWidthAt, width);
  store(now.data() + kBinsAt, bins);
  const std::byte* old = record.data() + kHeadBytes;
  rebin_half(old, old_bins, old_width, seconds, now.data() + kHeadBytes, bins, width);
  rebin_half(old + 8 * old_bins, old_bins, old_width, seconds, now.data() + kHeadBytes + 8 * bins, bins, width);
  record = std::move(now);
}

inline constexpr Rewrite kRewrite = {.survey = survey, .rebin = rebin};

}  // namespace trikal::modules::heatmap
