#pragma once
// Heatmaps put on one axis of time. No heap and no mathematics library: ranks do this inside the application, too.

#include <algorithm>

#include "modules/heatmap/live.hpp"
#include "schema/rewrite.hpp"

namespace trikal::modules::heatmap {

inline bool has_width(Bytes record) {
  const auto width = load<double>(record.data() + kWidthAt);
  return width > 0 && width < 1e300;  // not for infinities, nor for what is no number
}

inline void survey(Bytes record, double seconds, TimeGrid& grid) {
  if (!has_width(record)) return;
  const auto width = load<double>(record.data() + kWidthAt);
  const auto bins = load<std::int64_t>(record.data() + kBinsAt);
  grid.width = std::max(grid.width, width);
  grid.end = std::max(grid.end, seconds + width * static_cast<double>(bins));
  grid.bins = std::max(grid.bins, bins);
}

// Of a number that is not negative and not larger than any count of bins.
inline std::int64_t rounded_up(double number) {
  const auto whole = static_cast<std::int64_t>(number);
  return whole + (static_cast<double>(whole) < number ? 1 : 0);
}

// The grid's bins once its width was doubled until they are few enough, as the runtime does.
inline std::int64_t fit_bins(const TimeGrid& grid, double& width) {
  const auto most = static_cast<double>(std::max(kMostBins, grid.bins));
  constexpr double kSlack = 1e-6;  // 0.1 is not a tenth
  for (width = grid.width; grid.end / width > most + kSlack;) width *= 2;
  return std::max<std::int64_t>(1, rounded_up(std::max(grid.end / width - kSlack, 0.0)));
}

// Bytes counted before a moment, given in old bins; inside a bin they are spread evenly. Working with sums keeps the
// total exact whatever is rounded. Moments are asked for in ascending order.
class SumBefore {
 public:
  SumBefore(const std::byte* bins, std::int64_t count) : bins_(bins), count_(count) {}

  std::uint64_t operator()(double at) {
    if (!(at > 0)) return 0;
    const bool behind = at >= static_cast<double>(count_);
    const std::int64_t bin = behind ? count_ : static_cast<std::int64_t>(at);
    for (; next_ < bin; ++next_) sum_ += load<std::uint64_t>(bins_ + 8 * next_);
    if (behind) return sum_;
    const double most = 9e18;
    const double part = static_cast<double>(load<std::int64_t>(bins_ + 8 * bin)) * (at - static_cast<double>(bin));
    return sum_ + nearest(std::clamp(part, -most, most));
  }

 private:
  static std::uint64_t nearest(double number) {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(number < 0 ? number - 0.5 : number + 0.5));
  }

  const std::byte* bins_;
  std::int64_t count_, next_ = 0;
  std::uint64_t sum_ = 0;
};

struct Bins {
  std::int64_t count = 0;
  double width = 0;
};

inline void rebin_half(const std::byte* old, const Bins& from, double seconds, std::byte* now, const Bins& to) {
  SumBefore sum(old, from.count);
  std::uint64_t before = 0;
  for (std::int64_t i = 0; i < to.count; ++i) {
    const double edge = to.width * static_cast<double>(i + 1) - seconds;
    const std::uint64_t here = sum(i + 1 == to.count ? static_cast<double>(from.count) : edge / from.width);
    store(now + 8 * i, here - before);
    before = here;
  }
}

inline std::size_t rebin_into(Bytes record, double seconds, const TimeGrid& grid, MutableBytes now) {
  if (!has_width(record) || !(grid.width > 0)) return 0;
  Bins to;
  to.count = fit_bins(grid, to.width);
  const Bins from{load<std::int64_t>(record.data() + kBinsAt), load<double>(record.data() + kWidthAt)};
  const std::size_t bytes = kHeadBytes + 16 * static_cast<std::size_t>(to.count);
  if (bytes > now.size()) return 0;
  std::copy_n(record.data(), kHeadBytes, now.data());
  store(now.data() + kWidthAt, to.width);
  store(now.data() + kBinsAt, to.count);
  const std::byte* old = record.data() + kHeadBytes;
  rebin_half(old, from, seconds, now.data() + kHeadBytes, to);
  rebin_half(old + 8 * from.count, from, seconds, now.data() + kHeadBytes + 8 * to.count, to);
  return bytes;
}

}  // namespace trikal::modules::heatmap
