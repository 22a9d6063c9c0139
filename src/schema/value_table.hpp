#pragma once
// Values of something (sizes, strides, shapes) with their counts, as many as were counted: what the four most common ones
// of a file that several ranks used are chosen from. A row is the words of a value, then its count; rows ascend by value
// and no value comes twice. No heap: callers bring the memory.

#include <cstddef>
#include <cstdint>

#include "schema/labels.hpp"
#include "schema/top_four.hpp"

namespace trikal {

struct ValueTable {
  const std::int64_t* rows = nullptr;
  std::size_t size = 0;  // rows
  std::size_t words = 1;  // of a value

  [[nodiscard]] const std::int64_t* row(std::size_t i) const noexcept { return rows + i * (words + 1); }
  [[nodiscard]] std::int64_t count(std::size_t i) const noexcept { return row(i)[words]; }
};

// Puts rows of any order into the order of a table: equal values become one, 0 is none. Returns how many are left.
[[nodiscard]] std::size_t make_table(std::int64_t* rows, std::size_t size, std::size_t words) noexcept;

// Whether rows that came from elsewhere are a table.
[[nodiscard]] bool is_table(const ValueTable& table) noexcept;

// The sum of two tables of values of the same width. `out` has space for the rows of both; returns how many there are.
[[nodiscard]] std::size_t add_tables(const ValueTable& a, const ValueTable& b, std::int64_t* out) noexcept;

// Leaves the `most` most common ones. Returns how many are left.
[[nodiscard]] std::size_t keep_most_common(std::int64_t* rows, const ValueTable& table, std::size_t most) noexcept;

// The four most common ones, as a record has them.
void rank_four(const ValueTable& table, TopFour out) noexcept;

// The slots of a record as a table; `rows` has space for four.
[[nodiscard]] ValueTable table_of(TopFour top, std::int64_t* rows) noexcept;

// Adds one record's slots to another's. False: that would be more than four values, and nothing has changed.
[[nodiscard]] bool add_four(TopFour into, TopFour from) noexcept;

inline constexpr std::size_t kMostRowWords = kShapeWords + 1;

}  // namespace trikal
