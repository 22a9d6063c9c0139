#pragma once
// The most common values of a file that several ranks used. What is common over all of them need not be among the four
// of any rank, so counts of all values are added up, and cut to four at the end: in the slots of the folded record for as
// long as they do, then in a table beside it. Slots and table together are what has been added so far.
//
// `Table` is the one beside a record and counter: current() is what it holds (no rows: nothing), add(ValueTable) adds to it
// and returns false where there is no memory.

#include <cstring>

#include "base/bytes.hpp"
#include "schema/fold.hpp"
#include "schema/value_table.hpp"

namespace trikal {

// The slots of one such counter, copied out of a record: those of logs lie anywhere.
class TopWords {
 public:
  TopWords(const std::byte* record, const FoldPlan::Top& top) noexcept : top_(top) {
    std::memcpy(words_.data(), record + top.at, bytes());
  }
  [[nodiscard]] TopFour four() noexcept { return {words_.data(), words_.data() + top_.slots, top_.words()}; }
  void clear() noexcept { std::memset(words_.data(), 0, bytes()); }
  void copy_to(std::byte* record) const noexcept { std::memcpy(record + top_.at, words_.data(), bytes()); }
  [[nodiscard]] bool is_empty() const noexcept {
    std::int64_t any = 0;
    for (std::size_t i = 0; i < top_.slots; ++i) any |= words_[i];
    return any == 0;
  }
  // The one value that both have and nothing else, as most records do.
  [[nodiscard]] bool add_one(const TopWords& other) noexcept {
    const std::size_t words = top_.words();
    std::int64_t differ = 0, others = 0;
    for (std::size_t i = 0; i < words; ++i) differ |= words_[i] ^ other.words_[i];
    for (std::size_t i = words; i < top_.slots; ++i) others |= words_[i] | other.words_[i];
    if ((differ | others) != 0 || words_[0] == 0) return false;
    std::int64_t& count = words_[top_.slots];
    count = static_cast<std::int64_t>(static_cast<std::uint64_t>(count) +
                                      static_cast<std::uint64_t>(other.words_[top_.slots]));
    return true;
  }

 private:
  [[nodiscard]] std::size_t bytes() const noexcept { return 8UL * (top_.slots + kTopSlots); }

  FoldPlan::Top top_;
  std::array<std::int64_t, kTopSlots * kMostRowWords> words_;  // NOLINT: filled as far as it is used
};

// Everything the slots have goes to the table.
template <class Table>
[[nodiscard]] bool spill_values(TopWords& slots, Table& table) noexcept {
  std::array<std::int64_t, kTopSlots * kMostRowWords> rows;  // NOLINT: filled right below
  const bool added = slots.is_empty() || table.add(table_of(slots.four(), rows.data()));
  slots.clear();
  return added;
}

template <class Table>
[[nodiscard]] bool add_rank_values(const FoldPlan::Top& top, std::byte* into, const std::byte* from,
                                   Table&& table) noexcept {
  TopWords theirs(from, top);
  if (theirs.is_empty()) return true;
  TopWords mine(into, top);
  const bool fits = table.current().size == 0 && (mine.add_one(theirs) || add_four(mine.four(), theirs.four()));
  const bool added = fits || (spill_values(mine, table) && spill_values(theirs, table));
  mine.copy_to(into);
  return added;
}

// The record gets its four.
template <class Table>
[[nodiscard]] bool cut_to_four(const FoldPlan::Top& top, std::byte* record, Table&& table) noexcept {
  if (table.current().size == 0) return true;
  TopWords slots(record, top);
  if (!spill_values(slots, table)) return false;
  rank_four(table.current(), slots.four());
  slots.copy_to(record);
  return true;
}

}  // namespace trikal
