#include "capture/records/common_shapes.hpp"

#include <algorithm>

namespace trikal::capture {
namespace {

std::int64_t* at(TopFour top, std::size_t slot) noexcept { return top.values + slot * top.words; }

bool is_at(TopFour top, std::size_t slot, const ShapeWords& shape) noexcept {
  return std::equal(shape.begin(), shape.end(), at(top, slot));
}

bool outranks(TopFour top, std::size_t slot, std::int64_t count, std::int64_t bytes) noexcept {
  return top.counts[slot] > count || (top.counts[slot] == count && *at(top, slot) > bytes);
}

// Puts a shape that holds `slot`, or takes it, to where its count ranks it.
void show(const ShapeWords& shape, std::int64_t count, std::size_t slot, TopFour top) noexcept {
  while (slot > 0 && !outranks(top, slot - 1, count, shape[0]) &&
         (top.counts[slot - 1] != count || *at(top, slot - 1) != shape[0])) {
    std::copy_n(at(top, slot - 1), top.words, at(top, slot));
    top.counts[slot] = top.counts[slot - 1];
    --slot;
  }
  std::ranges::copy(shape, at(top, slot));
  top.counts[slot] = count;
}

}  // namespace

// 0: not followed.
std::int64_t CommonShapes::count_in_table(const ShapeWords& shape, TopFour top, const ValuesOf& of) noexcept {
  if (more_ == nullptr) {
    Table* table = take_values<kShapeWords>(of);
    if (table == nullptr) return 0;
    for (std::size_t i = 0; i < kTopSlots; ++i) {
      std::copy_n(at(top, i), top.words, table->values[i]);
      table->counts[i] = top.counts[i];
    }
    table->head.size.store(kTopSlots, std::memory_order_release);
    more_ = table;
  }
  Table& all = *more_;
  const std::uint32_t size = all.head.size.load(std::memory_order_relaxed);
  std::uint32_t i = 0;
  while (i < size && !std::ranges::equal(shape, all.values[i])) ++i;
  if (i == Table::kMost) return 0;
  if (i == size) {
    std::ranges::copy(shape, all.values[i]);
    all.head.size.store(size + 1, std::memory_order_release);
  }
  return ++all.counts[i];
}

void CommonShapes::count(const ShapeWords& shape, TopFour top, const ValuesOf& of) noexcept {
  if (shape[0] == 0) return;
  std::size_t slot = 0;
  while (slot < kTopSlots && top.counts[slot] != 0 && !is_at(top, slot, shape)) ++slot;
  std::int64_t count = 0;
  if (more_ != nullptr || slot == kTopSlots) count = count_in_table(shape, top, of);
  else count = top.counts[slot] + 1;
  if (count == 0) return;
  if (slot == kTopSlots) {
    slot = kTopSlots - 1;
    if (outranks(top, slot, count, shape[0])) return;
  }
  show(shape, count, slot, top);
}

}  // namespace trikal::capture
