#pragma once
// Walking a LUSTRE record in memory.

#include <algorithm>

#include "base/bytes.hpp"
#include "modules/lustre/schema.hpp"

namespace trikal::modules::lustre {

// Calls visit(component, targets) for each component in order: its 72 bytes, and its targets as words. Where the
// stripe counts promise more targets than the record holds, there are fewer.
template <class Visit>
void for_each_component(Bytes record, Visit visit) {
  const auto count = load<std::uint64_t>(record.data() + kNumCompsAt);
  const std::byte* comp = record.data() + kHeadBytes;
  Bytes left = record.subspan(kHeadBytes + static_cast<std::size_t>(count) * kComponentBytes);
  for (std::uint64_t i = 0; i < count; ++i, comp += kComponentBytes) {
    const auto stripes = std::max<std::int64_t>(0, load<std::int64_t>(comp + kStripeCountAt));
    const std::size_t held = std::min(static_cast<std::uint64_t>(stripes), static_cast<std::uint64_t>(left.size() / 8));
    visit(comp, left.first(8 * held));
    left = left.subspan(8 * held);
  }
}

}  // namespace trikal::modules::lustre
