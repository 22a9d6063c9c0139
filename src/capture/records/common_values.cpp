#include "capture/records/common_values.hpp"

#include <algorithm>

#include "schema/labels.hpp"

namespace trikal::capture {
namespace {

// Moves slot `i` up to where its count ranks it; ties go to the larger value.
void rise(std::size_t i, std::int64_t* values, std::int64_t* counts) noexcept {
  while (i > 0 && (counts[i - 1] < counts[i] || (counts[i - 1] == counts[i] && values[i - 1] < values[i]))) {
    std::swap(values[i - 1], values[i]);
    std::swap(counts[i - 1], counts[i]);
    --i;
  }
}

// Puts a value with its true count into the four slots, if it ranks there.
void show(std::int64_t value, std::int64_t count, std::int64_t* values, std::int64_t* counts) noexcept {
  std::size_t i = 0;
  while (i < kTopSlots && values[i] != value) ++i;
  if (i == kTopSlots) {
    i = kTopSlots - 1;
    const bool outranked = counts[i] > count || (counts[i] == count && values[i] > value);
    if (outranked) return;
    values[i] = value;
  }
  counts[i] = count;
  rise(i, values, counts);
}

}  // namespace

bool CommonValues::start_table(const std::int64_t* values, const std::int64_t* counts, const ValuesOf& of) noexcept {
  Table* table = take_values<1>(of);
  if (table == nullptr) return false;
  std::uint32_t size = 0;
  const auto put = [&](std::int64_t value, std::int64_t count) {
    table->values[size][0] = value;
    table->counts[size++] = count;
  };
  if (zeros_ > 0) put(0, zeros_);
  for (std::size_t i = 0; i < kTopSlots; ++i) put(values[i], counts[i]);
  table->head.size.store(size, std::memory_order_release);
  more_ = table;
  return true;
}

// 0: not followed.
std::int64_t CommonValues::count_in_table(std::int64_t value) noexcept {
  Table& all = *more_;
  const std::uint32_t size = all.head.size.load(std::memory_order_relaxed);
  std::uint32_t i = 0;
  while (i < size && all.values[i][0] != value) ++i;
  if (i == Table::kMost) return 0;
  if (i == size) {
    all.values[i][0] = value;
    all.head.size.store(size + 1, std::memory_order_release);
  }
  return ++all.counts[i];
}

void CommonValues::count_slowly(std::int64_t value, std::int64_t* values, std::int64_t* counts,
                                const ValuesOf& of) noexcept {
  if (more_ == nullptr) {
    if (value == 0) {
      ++zeros_;
      return;
    }
    for (std::size_t i = 0; i < kTopSlots; ++i) {
      if (values[i] == value || values[i] == 0) {
        values[i] = value;
        ++counts[i];
        return rise(i, values, counts);
      }
    }
    if (!start_table(values, counts, of)) return;
  }
  const std::int64_t count = count_in_table(value);
  if (value != 0 && count != 0) show(value, count, values, counts);
}

}  // namespace trikal::capture
