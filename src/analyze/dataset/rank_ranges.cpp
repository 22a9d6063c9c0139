#include "analyze/dataset/rank_ranges.hpp"

#include <algorithm>

namespace trikal::analyze {

std::vector<RankRange> ranges_of(const std::set<std::int64_t>& ranks) {
  std::vector<RankRange> ranges;
  for (const std::int64_t rank : ranks) {
    if (!ranges.empty() && ranges.back().last == rank - 1) ranges.back().last = rank;
    else ranges.push_back({rank, rank});
  }
  return ranges;
}

std::vector<RankRange> gaps_in(const std::set<std::int64_t>& ranks, std::int64_t count) {
  std::vector<RankRange> gaps;
  std::int64_t next = 0;
  for (auto rank = ranks.lower_bound(0); rank != ranks.end() && *rank < count; ++rank) {
    if (*rank > next) gaps.push_back({next, *rank - 1});
    next = *rank + 1;
  }
  if (next < count) gaps.push_back({next, count - 1});
  return gaps;
}

std::string rank_ranges(std::span<const RankRange> ranges) {
  constexpr std::size_t kMost = 32;
  std::string text;
  for (const RankRange& range : ranges.first(std::min(kMost, ranges.size()))) {
    if (!text.empty()) text += ',';
    text += std::to_string(range.first);
    if (range.last != range.first) text += "-" + std::to_string(range.last);
  }
  return ranges.size() > kMost ? text + ",..." : text;
}

}  // namespace trikal::analyze
