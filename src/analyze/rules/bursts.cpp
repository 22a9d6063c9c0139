#include "analyze/rules/bursts.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace trikal::analyze {
namespace {

std::vector<double> bytes_of(const Timeline& timeline) {
  std::vector<double> bytes(timeline.written);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] += timeline.read[i];
  return bytes;
}

double least_of_a_burst(const std::vector<double>& bytes) {
  constexpr double kHardlyAny = 0.02;
  return bytes.empty() ? 0 : kHardlyAny * *std::ranges::max_element(bytes);
}

// How much the series looks like itself `lag` slices later: 1 exactly, 0 not at all.
double likeness_at(const std::vector<double>& centred, double variance, std::size_t lag) {
  const std::size_t pairs = centred.size() - lag;
  double sum = 0;
  for (std::size_t i = 0; i < pairs; ++i) sum += centred[i] * centred[i + lag];
  return sum / static_cast<double>(pairs) / variance;
}

// Bursts come a slice early or late: each slice lends a part to its neighbours.
std::vector<double> smoothed(const std::vector<double>& bytes) {
  std::vector<double> smooth(bytes.size());
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const double left = i > 0 ? bytes[i - 1] : 0, right = i + 1 < bytes.size() ? bytes[i + 1] : 0;
    smooth[i] = (left + 2 * bytes[i] + right) / 4;
  }
  return smooth;
}

double deviation_of(const std::vector<double>& bytes, double mean) {
  double sum = 0;
  for (const double slice : bytes) sum += (slice - mean) * (slice - mean);
  return std::sqrt(sum / static_cast<double>(bytes.size()));
}

}  // namespace

std::vector<Burst> find_bursts(const Timeline& timeline, std::size_t pause) {
  const std::vector<double> bytes = bytes_of(timeline);
  const double least = least_of_a_burst(bytes);
  std::vector<Burst> bursts;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (bytes[i] <= 0 || bytes[i] < least) continue;
    if (bursts.empty() || i - bursts.back().last > pause) bursts.push_back({i, i, 0});
    bursts.back().last = i, bursts.back().bytes += bytes[i];
  }
  return bursts;
}

std::optional<Period> find_period(const Timeline& timeline, double periods, double likeness) {
  constexpr std::size_t kMostSlices = 4096;
  constexpr double kBursty = 0.5;  // deviation by mean: below, I/O is even
  constexpr double kValley = 0.3;
  std::vector<double> bytes = bytes_of(timeline);
  const double least = least_of_a_burst(bytes);
  const auto busy = [least](double slice) { return slice > 0 && slice >= least; };
  // Before the first burst and behind the last one there is nothing to compare.
  bytes.erase(bytes.begin(), std::ranges::find_if(bytes, busy));
  while (!bytes.empty() && !busy(bytes.back())) bytes.pop_back();
  if (bytes.size() < 6 || bytes.size() > kMostSlices || periods < 2) return std::nullopt;
  const auto slices = static_cast<double>(bytes.size());
  const double all = std::accumulate(bytes.begin(), bytes.end(), 0.0), mean = all / slices;
  if (!(deviation_of(bytes, mean) > kBursty * mean)) return std::nullopt;
  bytes = smoothed(bytes);
  for (double& slice : bytes) slice -= mean;
  const double variance = likeness_at(bytes, 1, 0);
  if (!(variance > 0)) return std::nullopt;
  // The last period may be the burst alone, without the pause behind it.
  const auto longest = static_cast<std::size_t>((slices - 1) / (periods - 1));
  double before = likeness_at(bytes, variance, 1), valley = before;
  for (std::size_t lag = 2; lag <= longest && lag + 1 < bytes.size(); ++lag) {
    const double now = likeness_at(bytes, variance, lag), after = likeness_at(bytes, variance, lag + 1);
    // Without a valley before it a peak is noise on a trend: much was written at first and little later on.
    if (now >= likeness && now > before && now >= after && now - valley >= kValley) {
      const double times = std::floor((slices - 1) / static_cast<double>(lag)) + 1;
      return Period{static_cast<double>(lag) * timeline.width, all / times, times, now};
    }
    before = now, valley = std::min(valley, now);
  }
  return std::nullopt;
}

}  // namespace trikal::analyze
