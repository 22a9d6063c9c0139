// Where all ways from a block come together again, when exceptions do not count as ways.

#include "predict/machine/joins.hpp"

#include <algorithm>

#include "predict/machine/code.hpp"

namespace trikal::predict {
namespace {

// Blocks in an order in which each comes behind those that all of its ways lead to; the end is one more block.
std::vector<std::uint32_t> from_the_end(const std::vector<std::vector<std::uint32_t>>& before, std::uint32_t end) {
  std::vector<std::uint32_t> order;
  std::vector<bool> seen(before.size());
  std::vector<std::pair<std::uint32_t, std::size_t>> left = {{end, 0}};
  seen[end] = true;
  while (!left.empty()) {
    auto& [block, next] = left.back();
    if (next == before[block].size()) {
      order.push_back(block);
      left.pop_back();
      continue;
    }
    const std::uint32_t other = before[block][next++];
    if (seen[other]) continue;
    seen[other] = true;
    left.emplace_back(other, 0);
  }
  std::ranges::reverse(order);
  return order;
}

}  // namespace

std::vector<std::uint32_t> joins(const std::vector<std::vector<std::uint32_t>>& after) {
  const auto end = static_cast<std::uint32_t>(after.size());
  std::vector<std::vector<std::uint32_t>> before(after.size() + 1);
  for (std::uint32_t block = 0; block < end; ++block) {
    for (const std::uint32_t next : after[block]) before[next].push_back(block);
    if (after[block].empty()) before[end].push_back(block);
  }
  const std::vector<std::uint32_t> order = from_the_end(before, end);
  std::vector<std::uint32_t> position(after.size() + 1, kNone), join(after.size() + 1, kNone);
  for (std::uint32_t i = 0; i < order.size(); ++i) position[order[i]] = i;
  join[end] = end;
  const auto meet = [&](std::uint32_t a, std::uint32_t b) {
    while (a != b) (position[a] > position[b] ? a : b) = join[position[a] > position[b] ? a : b];
    return a;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (const std::uint32_t block : order) {
      if (block == end) continue;
      std::uint32_t found = after[block].empty() ? end : kNone;
      for (const std::uint32_t next : after[block])
        if (position[next] != kNone && join[next] != kNone) found = found == kNone ? next : meet(found, next);
      if (found != join[block]) join[block] = found, changed = true;
    }
  }
  join.pop_back();
  for (std::uint32_t& one : join)
    if (one == end) one = kNone;
  return join;
}

}  // namespace trikal::predict
