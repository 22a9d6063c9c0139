#pragma once
// Ranks in few words.

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace trikal::analyze {

struct RankRange {
  std::int64_t first = 0, last = 0;

  [[nodiscard]] std::int64_t count() const { return last - first + 1; }
};

[[nodiscard]] std::vector<RankRange> ranges_of(const std::set<std::int64_t>& ranks);
// What is missing of ranks 0 to count - 1.
[[nodiscard]] std::vector<RankRange> gaps_in(const std::set<std::int64_t>& ranks, std::int64_t count);

// "0-3,7"; the first ones, if there are many.
[[nodiscard]] std::string rank_ranges(std::span<const RankRange> ranges);

}  // namespace trikal::analyze
