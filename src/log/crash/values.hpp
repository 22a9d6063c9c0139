#pragma once
// The values of which a record in a crash map has the four most common, all of them. No heap.

#include <algorithm>
#include <array>
#include <cstring>

#include "log/crash/view.hpp"
#include "schema/value_table.hpp"

namespace trikal::log::crash {

// A table as it lies in the map.
class MapValues {
 public:
  explicit MapValues(const ValuesHead& head) noexcept : head_(&head) {}

  [[nodiscard]] const ValuesHead& head() const noexcept { return *head_; }
  [[nodiscard]] std::uint64_t id() const noexcept { return head_->id; }
  [[nodiscard]] std::size_t counter() const noexcept { return head_->counter; }
  [[nodiscard]] std::size_t words() const noexcept { return head_->words; }

  using Rows = std::array<std::int64_t, kMostValues * kMostRowWords>;
  // In order, and without zero.
  [[nodiscard]] ValueTable table(Rows& rows) const noexcept {
    const std::size_t size = std::min<std::size_t>(head_->size.load(std::memory_order_acquire), kMostValues);
    const auto* values = reinterpret_cast<const std::byte*>(head_ + 1);
    const std::byte* counts = values + 8 * kMostValues * words();
    for (std::size_t i = 0; i < size; ++i) {
      std::int64_t* row = rows.data() + i * (words() + 1);
      std::memcpy(row, values + 8 * words() * i, 8 * words());
      row[words()] = load<std::int64_t>(counts + 8 * i);
    }
    return {rows.data(), make_table(rows.data(), size, words()), words()};
  }

 private:
  const ValuesHead* head_;
};

// Calls use(MapValues) for every table of a module.
template <class Use>
void for_each_values(const MapView& map, const ModuleSchema& schema, const Use& use) {
  map.for_each_chunk([&](const Chunk& chunk, Bytes slots) {
    if (chunk.kind != ChunkKind::kValues || chunk.stride < sizeof(ValuesHead) || chunk.stride % 8 != 0) return;
    for (std::size_t at = 0; at + chunk.stride <= slots.size(); at += chunk.stride) {
      const auto& head = *reinterpret_cast<const ValuesHead*>(slots.data() + at);
      const bool sound = head.words > 0 && head.words < kMostRowWords && values_bytes(head.words) <= chunk.stride;
      if (sound && head.module == schema.id) use(MapValues(head));
    }
  });
}

}  // namespace trikal::log::crash
