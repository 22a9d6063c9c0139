#pragma once
// A heatmap while it fills: always kMostBins bins, which get twice as wide whenever time runs past the last one.
// No heap: this runs inside the application. Sums are taken unsigned: what is read from a map may be anything.

#include <algorithm>

#include "base/bytes.hpp"
#include "schema/live.hpp"

namespace trikal::modules::heatmap {

inline constexpr std::uint32_t kHeadBytes = 48;
inline constexpr std::uint32_t kWidthAt = 16;
inline constexpr std::uint32_t kBinsAt = 24;
inline constexpr std::int64_t kMostBins = 200;  // what the original runtime has
// Seconds. The original begins with 0.1; doubled six times ours is that, so runs of ten seconds and more look the same, and
// shorter ones have a hundred bins or more instead of a few.
inline constexpr double kFirstWidth = 0.1 / 64;
inline constexpr std::uint32_t kLiveBytes = kHeadBytes + 16 * static_cast<std::uint32_t>(kMostBins);

// Writes, then reads.
inline std::byte* bins_of(std::byte* record, bool reads) { return record + kHeadBytes + (reads ? 8 * kMostBins : 0); }

// Bins become twice as wide.
inline void widen(std::byte* record) {
  for (const bool reads : {false, true}) {
    std::byte* bins = bins_of(record, reads);
    for (std::int64_t i = 0; i < kMostBins; ++i) {
      const bool kept = 2 * i + 1 < kMostBins;
      const auto half = [&](std::int64_t at) { return load<std::uint64_t>(bins + 8 * at); };
      store(bins + 8 * i, kept ? half(2 * i) + half(2 * i + 1) : 0);
    }
  }
  store(record + kWidthAt, 2 * load<double>(record + kWidthAt));
}

// A width read from memory that anybody may have scribbled on.
inline bool plausible(const std::byte* record) {
  const auto width = load<double>(record + kWidthAt);
  return width >= kFirstWidth && width < 1e12;
}

inline void join(std::byte* into, const std::byte* from) {
  if (!plausible(into) || !plausible(from)) return;
  std::byte copy[kLiveBytes];
  std::copy_n(from, kLiveBytes, copy);
  while (load<double>(into + kWidthAt) < load<double>(copy + kWidthAt)) widen(into);
  while (load<double>(copy + kWidthAt) < load<double>(into + kWidthAt)) widen(copy);
  for (std::size_t at = kHeadBytes; at < kLiveBytes; at += 8) {
    store(into + at, load<std::uint64_t>(into + at) + load<std::uint64_t>(copy + at));
  }
}

// How many bins hold something, or belong to the life of the process.
inline std::int64_t bins_in_use(std::byte* record, double end) {
  std::int64_t used = 0;
  for (std::int64_t i = 0; i < kMostBins; ++i) {
    if (load<std::int64_t>(bins_of(record, false) + 8 * i) != 0 ||
        load<std::int64_t>(bins_of(record, true) + 8 * i) != 0)
      used = i + 1;
  }
  if (used == 0) return 0;
  const double lived = end / load<double>(record + kWidthAt);
  const auto whole = static_cast<std::int64_t>(std::clamp(lived, 0.0, static_cast<double>(kMostBins)));
  return std::min(kMostBins, std::max(used, whole + (static_cast<double>(whole) < lived ? 1 : 0)));
}

inline std::size_t pack(std::byte* record, double end) {
  if (!plausible(record)) return 0;
  constexpr double kLongest = 1e9;
  end = std::clamp(end, 0.0, kLongest);
  while (end > load<double>(record + kWidthAt) * static_cast<double>(kMostBins)) widen(record);
  const std::int64_t bins = bins_in_use(record, end);
  if (bins == 0) return 0;
  store(record + kBinsAt, bins);
  const std::byte* reads = bins_of(record, true);
  std::copy(reads, reads + 8 * bins, record + kHeadBytes + 8 * bins);
  return kHeadBytes + 16 * static_cast<std::size_t>(bins);
}

inline constexpr LiveForm kLiveForm = {.bytes = kLiveBytes, .join = join, .pack = pack};

}  // namespace trikal::modules::heatmap
