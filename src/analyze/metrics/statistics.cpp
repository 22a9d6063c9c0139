#include "analyze/metrics/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace trikal::analyze {
namespace {

struct Ranked {
  std::vector<std::size_t> doubled;  // twice the rank of every number; those that are equal share their mean
  std::size_t sum_a = 0;  // of those that are a's
  double ties = 0;  // the sum of t^3 - t over groups of equal numbers
};

Ranked ranked(std::span<const double> a, std::span<const double> b) {
  struct Number {
    double value;
    bool is_a;
  };
  std::vector<Number> numbers;
  for (const double value : a) numbers.push_back({value, true});
  for (const double value : b) numbers.push_back({value, false});
  std::ranges::sort(numbers, {}, &Number::value);
  Ranked ranks;
  for (std::size_t first = 0; first < numbers.size();) {
    std::size_t last = first;
    while (last + 1 < numbers.size() && numbers[last + 1].value == numbers[first].value) ++last;
    const auto equal = static_cast<double>(last - first + 1);
    ranks.ties += equal * equal * equal - equal;
    for (std::size_t i = first; i <= last; ++i) {
      ranks.doubled.push_back(first + last + 2);
      if (numbers[i].is_a) ranks.sum_a += first + last + 2;
    }
    first = last + 1;
  }
  return ranks;
}

// Of all ways to choose a's share of the ranks: the part whose sum is as far from the middle as this one.
double exact(const Ranked& ranks, std::size_t chosen) {
  std::size_t all = 0;
  for (const std::size_t rank : ranks.doubled) all += rank;
  // ways[k][s]: to choose k ranks with the sum s.
  std::vector<std::vector<double>> ways(chosen + 1, std::vector<double>(all + 1));
  ways[0][0] = 1;
  for (const std::size_t rank : ranks.doubled) {
    for (std::size_t k = chosen; k-- > 0;) {
      for (std::size_t sum = all - rank + 1; sum-- > 0;) ways[k + 1][sum + rank] += ways[k][sum];
    }
  }
  const double middle =
      static_cast<double>(all) * static_cast<double>(chosen) / static_cast<double>(ranks.doubled.size());
  const double distance = std::abs(static_cast<double>(ranks.sum_a) - middle);
  double total = 0, as_far = 0;
  for (std::size_t sum = 0; sum <= all; ++sum) {
    total += ways[chosen][sum];
    if (std::abs(static_cast<double>(sum) - middle) >= distance - 1e-9) as_far += ways[chosen][sum];
  }
  return as_far / total;
}

double approximate(const Ranked& ranks, double a, double b) {
  const double all = a + b, middle = a * (all + 1) / 2;
  const double variance = a * b / 12 * (all + 1 - ranks.ties / (all * (all - 1)));
  if (!(variance > 0)) return 1;
  const double distance = std::abs(static_cast<double>(ranks.sum_a) / 2 - middle);
  return std::min(1.0, std::erfc(std::max(0.0, distance - 0.5) / std::sqrt(variance) / std::numbers::sqrt2));
}

}  // namespace

double median(std::span<const double> values) {
  if (values.empty()) return 0;
  std::vector<double> sorted(values.begin(), values.end());
  std::ranges::sort(sorted);
  const std::size_t half = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

double median_deviation(std::span<const double> values) {
  const double middle = median(values);
  std::vector<double> distances;
  for (const double value : values) distances.push_back(std::abs(value - middle));
  return median(distances);
}

double rank_sum_test(std::span<const double> a, std::span<const double> b) {
  constexpr std::size_t kMostExact = 24;
  if (a.empty() || b.empty()) return 1;
  const Ranked ranks = ranked(a, b);
  if (a.size() + b.size() <= kMostExact) return exact(ranks, a.size());
  return approximate(ranks, static_cast<double>(a.size()), static_cast<double>(b.size()));
}

}  // namespace trikal::analyze
