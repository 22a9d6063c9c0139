#include "schema/value_table.hpp"

#include <algorithm>
#include <array>

#include "base/wrapping.hpp"

namespace trikal {
namespace {

using Word = std::int64_t;

bool comes_before(const Word* a, const Word* b, std::size_t words) noexcept {
  return std::lexicographical_compare(a, a + words, b, b + words);
}

bool same(const Word* a, const Word* b, std::size_t words) noexcept { return std::equal(a, a + words, b); }

// How many rows have at least this count.
std::size_t with_count(const ValueTable& table, Word count) noexcept {
  std::size_t found = 0;
  for (std::size_t i = 0; i < table.size; ++i) {
    if (table.count(i) >= count) ++found;
  }
  return found;
}

// The largest count that at least `most` rows reach.
Word count_of(const ValueTable& table, std::size_t most) noexcept {
  Word low = table.count(0), high = low;
  for (std::size_t i = 1; i < table.size; ++i) {
    low = std::min(low, table.count(i));
    high = std::max(high, table.count(i));
  }
  while (low < high) {  // unsigned: counts may be anything
    const std::uint64_t gap = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
    const Word middle = wrap_add(low, static_cast<Word>(gap / 2 + gap % 2));
    if (with_count(table, middle) >= most) low = middle;
    else high = middle - 1;
  }
  return low;
}

}  // namespace

std::size_t make_table(Word* rows, std::size_t size, std::size_t words) noexcept {
  const std::size_t width = words + 1;
  std::size_t made = 0;
  for (std::size_t i = 0; i < size; ++i) {
    std::array<Word, kMostRowWords> row;  // NOLINT: filled right below
    std::copy_n(rows + i * width, width, row.begin());
    if (row[0] == 0) continue;
    std::size_t at = made;
    while (at > 0 && comes_before(row.data(), rows + (at - 1) * width, words)) --at;
    if (at > 0 && same(row.data(), rows + (at - 1) * width, words)) {
      Word& count = rows[(at - 1) * width + words];
      count = wrap_add(count, row[words]);
      continue;
    }
    std::copy_backward(rows + at * width, rows + made * width, rows + (made + 1) * width);
    std::copy_n(row.begin(), width, rows + at * width);
    ++made;
  }
  return made;
}

bool is_table(const ValueTable& table) noexcept {
  for (std::size_t i = 0; i < table.size; ++i) {
    if (table.row(i)[0] == 0 || (i > 0 && !comes_before(table.row(i - 1), table.row(i), table.words))) return false;
  }
  return true;
}

std::size_t add_tables(const ValueTable& a, const ValueTable& b, Word* out) noexcept {
  const std::size_t width = a.words + 1;
  std::size_t i = 0, j = 0, made = 0;
  while (i < a.size || j < b.size) {
    const bool mine = j == b.size || (i < a.size && !comes_before(b.row(j), a.row(i), a.words));
    const bool both = mine && i < a.size && j < b.size && same(a.row(i), b.row(j), a.words);
    Word* row = out + made++ * width;
    std::copy_n(mine ? a.row(i) : b.row(j), width, row);
    if (both) row[a.words] = wrap_add(row[a.words], b.count(j));
    if (mine) ++i;
    if (!mine || both) ++j;
  }
  return made;
}

std::size_t keep_most_common(Word* rows, const ValueTable& table, std::size_t most) noexcept {
  if (table.size <= most || most == 0) return std::min(table.size, most);
  const Word least = count_of(table, most);
  // Of those that have just as many the larger values stay, as in a record.
  std::size_t too_many = with_count(table, least) - most, kept = 0;
  for (std::size_t i = 0; i < table.size; ++i) {
    if (table.count(i) < least) continue;
    if (table.count(i) == least && too_many > 0) {
      --too_many;
      continue;
    }
    std::copy_n(table.row(i), table.words + 1, rows + kept++ * (table.words + 1));
  }
  return kept;
}

void rank_four(const ValueTable& table, TopFour out) noexcept {
  std::array<std::size_t, kTopSlots + 1> best{};
  std::size_t size = 0;
  for (std::size_t i = 0; i < table.size; ++i) {
    std::size_t at = size;
    while (at > 0 && table.count(best[at - 1]) <= table.count(i) &&
           (table.count(best[at - 1]) < table.count(i) || table.row(best[at - 1])[0] <= table.row(i)[0])) {
      best[at] = best[at - 1];
      --at;
    }
    best[at] = i;
    size = std::min(size + 1, kTopSlots);
  }
  for (std::size_t i = 0; i < kTopSlots; ++i) {
    if (i < size) std::copy_n(table.row(best[i]), table.words, out.values + i * table.words);
    else std::fill_n(out.values + i * table.words, table.words, 0);
    out.counts[i] = i < size ? table.count(best[i]) : 0;
  }
}

ValueTable table_of(TopFour top, Word* rows) noexcept {
  for (std::size_t i = 0; i < kTopSlots; ++i) {
    std::copy_n(top.values + i * top.words, top.words, rows + i * (top.words + 1));
    rows[i * (top.words + 1) + top.words] = top.counts[i];
  }
  return {rows, make_table(rows, kTopSlots, top.words), top.words};
}

bool add_four(TopFour into, TopFour from) noexcept {
  if (std::all_of(from.values, from.values + kTopSlots * from.words, [](Word word) { return word == 0; })) return true;
  std::array<Word, kTopSlots * kMostRowWords> mine, theirs;  // NOLINT: filled right below
  std::array<Word, 2 * kTopSlots * kMostRowWords> sum;       // NOLINT
  const ValueTable a = table_of(into, mine.data()), b = table_of(from, theirs.data());
  const ValueTable all{sum.data(), add_tables(a, b, sum.data()), into.words};
  if (all.size > kTopSlots) return false;
  rank_four(all, into);
  return true;
}

}  // namespace trikal
