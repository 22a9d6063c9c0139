#include "report/perfetto/lanes.hpp"

#include <algorithm>

namespace trikal::report {

std::size_t Lanes::lane_for(std::uint64_t thread, std::int64_t start, std::int64_t end) {
  const auto fits = [&](const Lane& lane) { return lane.thread == thread && lane.free_from <= start; };
  auto at = std::ranges::find_if(lanes_, fits);
  if (at == lanes_.end() && lanes_.size() >= kMost) at = std::ranges::min_element(lanes_, {}, &Lane::free_from);
  if (at == lanes_.end()) at = lanes_.insert(lanes_.end(), {thread, start});
  at->free_from = std::max(at->free_from, end);
  return static_cast<std::size_t>(at - lanes_.begin());
}

}  // namespace trikal::report
