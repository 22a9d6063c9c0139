#include "schema/top_four.hpp"

#include <algorithm>
#include <array>

#include "schema/labels.hpp"

namespace trikal {
namespace {

using Words = std::array<std::int64_t, kShapeWords>;

struct Entry {
  Words value{};
  std::int64_t count = 0;
};

// Counts come from logs: whatever they hold, adding them must be defined.
std::int64_t add_counts(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

// Five places: the fifth holds what an insertion pushes out.
class Ranking {
 public:
  explicit Ranking(std::size_t words) : words_(words) {}

  void append(const std::int64_t* value, std::int64_t count) {
    std::copy_n(value, words_, entries_[size_].value.begin());
    entries_[size_++].count = count;
  }

  // Puts `value` where its count ranks it; an older place of the same value is given up.
  void insert(const std::int64_t* value, std::int64_t count, bool add_to_equal) {
    if (value[0] == 0) return;
    const std::size_t old = find(value);
    if (old < size_ && add_to_equal) count = add_counts(count, entries_[old].count);
    const std::size_t place = rank(value[0], count);
    if (place == kTopSlots) return;
    const std::size_t vacated = old < size_ ? old : std::min(size_, kTopSlots);
    if (old >= size_ && size_ < kTopSlots) ++size_;
    Entry entry;
    std::copy_n(value, words_, entry.value.begin());
    entry.count = count;
    // Moving down past what now outranks it cannot happen: counts only grow.
    if (place <= vacated) {
      std::move_backward(entries_.begin() + static_cast<std::ptrdiff_t>(place),
                         entries_.begin() + static_cast<std::ptrdiff_t>(vacated),
                         entries_.begin() + static_cast<std::ptrdiff_t>(vacated) + 1);
      entries_[place] = entry;
    }
  }

  // Adds to a value that is listed already, without moving it. False where it is not.
  bool gain(const std::int64_t* value, std::int64_t count) {
    const std::size_t place = find(value);
    if (place == size_) return false;
    entries_[place].count = add_counts(entries_[place].count, count);
    return true;
  }

  void copy_to(TopFour out) const {
    for (std::size_t i = 0; i < kTopSlots; ++i) {
      const Entry entry = i < size_ ? entries_[i] : Entry{};
      std::copy_n(entry.value.begin(), words_, out.values + i * words_);
      out.counts[i] = entry.count;
    }
  }

 private:
  [[nodiscard]] std::size_t find(const std::int64_t* value) const {
    std::size_t i = 0;
    while (i < size_ && !std::equal(value, value + words_, entries_[i].value.begin())) ++i;
    return i;
  }
  [[nodiscard]] std::size_t rank(std::int64_t first_word, std::int64_t count) const {
    std::size_t place = 0;
    while (place < size_ && place < kTopSlots &&
           (entries_[place].count > count ||
            (entries_[place].count == count && entries_[place].value[0] > first_word))) {
      ++place;
    }
    return place;
  }

  std::size_t words_;
  std::size_t size_ = 0;
  std::array<Entry, kTopSlots + 1> entries_{};
};

}  // namespace

void merge_ranks(TopFour into, const std::int64_t* values, const std::int64_t* counts) noexcept {
  const std::size_t words = into.words;
  std::array<std::int64_t, kTopSlots> mine{};
  std::array<std::int64_t, kTopSlots> theirs{};
  std::copy_n(into.counts, kTopSlots, mine.begin());
  std::copy_n(counts, kTopSlots, theirs.begin());
  std::array<bool, kTopSlots> pooled{};
  for (std::size_t i = 0; i < kTopSlots; ++i) {
    for (std::size_t j = 0; j < kTopSlots; ++j) {
      const std::int64_t* value = into.values + i * words;
      if (pooled[j] || !std::equal(value, value + words, values + j * words)) continue;
      mine[i] = add_counts(mine[i], theirs[j]);
      pooled[j] = true;
    }
  }
  const bool add_to_equal = words == 1;
  Ranking ranking(words);
  for (std::size_t i = 0; i < kTopSlots; ++i) ranking.insert(into.values + i * words, mine[i], add_to_equal);
  for (std::size_t j = 0; j < kTopSlots; ++j) {
    if (!pooled[j]) ranking.insert(values + j * words, theirs[j], add_to_equal);
  }
  ranking.copy_to(into);
}

void merge_totals(TopFour into, const std::int64_t* values, const std::int64_t* counts) noexcept {
  if (std::all_of(counts, counts + kTopSlots, [](std::int64_t count) { return count == 0; })) return;
  Ranking ranking(into.words);
  for (std::size_t i = 0; i < kTopSlots && into.values[i * into.words] != 0; ++i) {
    ranking.append(into.values + i * into.words, into.counts[i]);
  }
  // All gains come first: a new value must not push out one that is about to grow.
  std::array<bool, kTopSlots> listed{};
  for (std::size_t j = 0; j < kTopSlots; ++j) listed[j] = ranking.gain(values + j * into.words, counts[j]);
  for (std::size_t j = 0; j < kTopSlots; ++j) {
    if (!listed[j]) ranking.insert(values + j * into.words, counts[j], false);
  }
  ranking.copy_to(into);
}

}  // namespace trikal
