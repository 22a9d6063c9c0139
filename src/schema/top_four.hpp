#pragma once
// The four most common values of something (sizes, strides, shapes) with their counts, as they lie in a
// record: `words` words for each value, then four counts. Ranked by count, ties by the larger first word.

#include <cstddef>
#include <cstdint>

namespace trikal {

struct TopFour {
  std::int64_t* values;  // 4 * words
  std::int64_t* counts;  // 4
  std::size_t words;     // 1, or 11 for the shape of an array access
};

// A shared record's rule (ranks folded inside one job): equal values pool their counts first.
// Arrays of shapes do not add up once a value is set; that is how such records have always been made.
void merge_ranks(TopFour into, const std::int64_t* values, const std::int64_t* counts) noexcept;

// The totals' rule (unlike records added up): values already listed gain their counts where they stand; then
// new ones are ranked by the incoming count alone.
void merge_totals(TopFour into, const std::int64_t* values, const std::int64_t* counts) noexcept;

}  // namespace trikal
