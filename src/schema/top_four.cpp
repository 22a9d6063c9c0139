#include "schema/top_four.hpp"

#include <algorithm>
#include <array>

#include "base/wrapping.hpp"
#include "schema/labels.hpp"

namespace trikal {
namespace {

using Words = std::array<std::int64_t, kShapeWords>;

struct Entry {
  Words value{};
  std::int64_t count = 0;
};

// At most four values, the highest ranked first.
class Ranking {
 public:
  explicit Ranking(std::size_t words) : words_(words) {}

  void append(const std::int64_t* value, std::int64_t count) { entries_[size_++] = entry(value, count); }

  // Puts `value` behind all that outrank it; an older entry of the same value below that is given up.
  void insert(const std::int64_t* value, std::int64_t count, bool add_to_equal) {
    if (value[0] == 0) return;
    const std::size_t old = find(value);
    if (old < size_ && add_to_equal) count = wrap_add(count, entries_[old].count);
    std::size_t rank = 0;
    while (rank < size_ && outranks(entries_[rank], value[0], count)) ++rank;
    if (rank == kTopSlots) return;
    const std::array<Entry, kTopSlots> before = entries_;
    const std::size_t size = size_;
    size_ = rank;
    append(value, count);
    for (std::size_t i = rank; i < size && size_ < kTopSlots; ++i) {
      if (!same(before[i], value)) entries_[size_++] = before[i];
    }
  }

  void copy_to(TopFour out) const {
    for (std::size_t i = 0; i < kTopSlots; ++i) {
      const Entry entry = i < size_ ? entries_[i] : Entry{};
      std::copy_n(entry.value.begin(), words_, out.values + i * words_);
      out.counts[i] = entry.count;
    }
  }

 private:
  [[nodiscard]] Entry entry(const std::int64_t* value, std::int64_t count) const {
    Entry made;
    std::copy_n(value, words_, made.value.begin());
    made.count = count;
    return made;
  }
  [[nodiscard]] bool same(const Entry& entry, const std::int64_t* value) const {
    return std::equal(value, value + words_, entry.value.begin());
  }
  [[nodiscard]] std::size_t find(const std::int64_t* value) const {
    std::size_t i = 0;
    while (i < size_ && !same(entries_[i], value)) ++i;
    return i;
  }
  static bool outranks(const Entry& entry, std::int64_t first_word, std::int64_t count) {
    return entry.count > count || (entry.count == count && entry.value[0] > first_word);
  }

  std::size_t words_;
  std::size_t size_ = 0;
  std::array<Entry, kTopSlots> entries_{};
};

// Where `value` is listed; kTopSlots if it is not.
std::size_t rank_of(TopFour top, const std::int64_t* value) noexcept {
  std::size_t i = 0;
  while (i < kTopSlots && !(top.values[i * top.words] == value[0] &&
                            std::equal(value + 1, value + top.words, top.values + i * top.words + 1))) {
    ++i;
  }
  return i;
}

// One value and nothing else, as most records have.
bool is_one(const std::int64_t* values, std::size_t words) noexcept {
  std::int64_t others = 0;
  for (std::size_t i = words; i < kTopSlots * words; ++i) others |= values[i];
  return values[0] != 0 && others == 0;
}

}  // namespace

void merge_ranks(TopFour into, const std::int64_t* values, const std::int64_t* counts) noexcept {
  const std::size_t words = into.words;
  if (is_one(into.values, words) && is_one(values, words) && std::equal(values, values + words, into.values)) {
    into.counts[0] = wrap_add(into.counts[0], counts[0]);
    std::fill_n(into.counts + 1, kTopSlots - 1, 0);
    return;
  }
  std::array<std::int64_t, kTopSlots> mine{};
  std::copy_n(into.counts, kTopSlots, mine.begin());
  std::array<bool, kTopSlots> pooled{};
  for (std::size_t i = 0; i < kTopSlots; ++i) {
    for (std::size_t j = 0; j < kTopSlots; ++j) {
      const std::int64_t* value = into.values + i * words;
      if (pooled[j] || !std::equal(value, value + words, values + j * words)) continue;
      mine[i] = wrap_add(mine[i], counts[j]);
      pooled[j] = true;
    }
  }
  const bool add_to_equal = words == 1;
  Ranking ranking(words);
  for (std::size_t i = 0; i < kTopSlots; ++i) ranking.insert(into.values + i * words, mine[i], add_to_equal);
  for (std::size_t j = 0; j < kTopSlots; ++j) {
    if (!pooled[j]) ranking.insert(values + j * words, counts[j], add_to_equal);
  }
  ranking.copy_to(into);
}

void merge_totals(TopFour into, const std::int64_t* values, const std::int64_t* counts) noexcept {
  const std::size_t words = into.words;
  // All gains come first, where the value stands: a new value must not push out one that is about to grow.
  std::array<bool, kTopSlots> fresh{};
  bool any_fresh = false;
  for (std::size_t j = 0; j < kTopSlots; ++j) {
    const std::int64_t* value = values + j * words;
    if (value[0] == 0) continue;
    const std::size_t rank = rank_of(into, value);
    if (rank < kTopSlots) into.counts[rank] = wrap_add(into.counts[rank], counts[j]);
    else fresh[j] = any_fresh = true;
  }
  if (!any_fresh) return;
  Ranking ranking(words);
  for (std::size_t i = 0; i < kTopSlots && into.values[i * words] != 0; ++i) {
    ranking.append(into.values + i * words, into.counts[i]);
  }
  for (std::size_t j = 0; j < kTopSlots; ++j) {
    if (fresh[j]) ranking.insert(values + j * words, counts[j], false);
  }
  ranking.copy_to(into);
}

}  // namespace trikal
