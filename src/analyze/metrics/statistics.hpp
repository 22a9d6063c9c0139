#pragma once
// Few numbers, some of them far off: measured times. Nothing here assumes a distribution.

#include <span>

namespace trikal::analyze {

// The middle one; of an even number the mean of the two. 0 of none.
[[nodiscard]] double median(std::span<const double> values);

// How far values are from their median, in the middle; 1.4826 times that is a normal distribution's deviation.
[[nodiscard]] double median_deviation(std::span<const double> values);

// Mann and Whitney's test of ranks, two-sided: how likely numbers as far apart as these would be if both came from the
// same source. Exact, ties included, for up to 24 numbers altogether; beyond that by the normal approximation.
[[nodiscard]] double rank_sum_test(std::span<const double> a, std::span<const double> b);

}  // namespace trikal::analyze
