#pragma once
// Which storage targets an access to a file touches.

#include <algorithm>
#include <limits>

#include "modules/lustre/components.hpp"

namespace trikal::modules::lustre {

// Calls visit(target) for every target that bytes [offset, offset + length) lie on: component by component, stripe
// by stripe, and not further than once round a component's stripes. Nothing where the log does not know the offset.
template <class Visit>
void for_each_target(Bytes record, std::int64_t offset, std::int64_t length, Visit visit) {
  if (offset < 0 || length <= 0) return;
  constexpr std::int64_t kEndless = std::numeric_limits<std::int64_t>::max();
  const std::int64_t end = length > kEndless - offset ? kEndless : offset + length;
  for_each_component(record, [&](const std::byte* comp, Bytes targets) {
    const auto ext_end = load<std::int64_t>(comp + kExtEndAt);
    const auto size = load<std::int64_t>(comp + kStripeSizeAt);
    const std::int64_t from = std::max(offset, load<std::int64_t>(comp + kExtStartAt));
    const std::int64_t to = ext_end == -1 ? end : std::min(end, ext_end);
    const auto stripes = static_cast<std::int64_t>(targets.size() / 8);
    if (from >= to || size <= 0 || stripes == 0) return;
    const std::int64_t first = from / size;
    const std::int64_t touched = std::min((to - 1) / size - first + 1, stripes);
    for (std::int64_t i = 0, at = first % stripes; i < touched; ++i, at = at + 1 == stripes ? 0 : at + 1) {
      visit(load<std::int64_t>(targets.data() + 8 * at));
    }
  });
}

}  // namespace trikal::modules::lustre
