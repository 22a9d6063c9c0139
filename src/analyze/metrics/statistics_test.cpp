#include "analyze/metrics/statistics.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace trikal::analyze {
namespace {

using Numbers = std::vector<double>;

TEST(Statistics, Median) {
  EXPECT_EQ(median(Numbers{}), 0);
  EXPECT_EQ(median(Numbers{3, 1, 2}), 2);
  EXPECT_EQ(median(Numbers{4, 1, 2, 3}), 2.5);
  EXPECT_EQ(median_deviation(Numbers{1, 1, 2, 2, 4, 6, 9}), 1);  // the classic example
}

// Exact values: of C(8,4) = 70 choices two are as far apart as possible; of C(6,3) = 20 two.
TEST(Statistics, NumbersThatDoNotOverlap) {
  EXPECT_DOUBLE_EQ(rank_sum_test(Numbers{1, 2, 3, 4}, Numbers{5, 6, 7, 8}), 2.0 / 70);
  EXPECT_DOUBLE_EQ(rank_sum_test(Numbers{5, 6, 7, 8}, Numbers{1, 2, 3, 4}), 2.0 / 70);
  EXPECT_DOUBLE_EQ(rank_sum_test(Numbers{1, 2, 3}, Numbers{10, 20, 30}), 2.0 / 20);
  EXPECT_DOUBLE_EQ(rank_sum_test(Numbers{1}, Numbers{2}), 1);
}

// 1 2 4 | 3 5 6: rank sum 7, and sums up to 7 or from 14 on are 1+1+... = {6,7,14,15}: 4 of 20 choices.
TEST(Statistics, NumbersThatOverlap) { EXPECT_DOUBLE_EQ(rank_sum_test(Numbers{1, 2, 4}, Numbers{3, 5, 6}), 4.0 / 20); }

TEST(Statistics, EqualNumbersSayNothing) {
  EXPECT_DOUBLE_EQ(rank_sum_test(Numbers{1, 1, 1, 1}, Numbers{1, 1, 1, 1}), 1);
  EXPECT_DOUBLE_EQ(rank_sum_test(Numbers{}, Numbers{1, 2}), 1);
}

// Where both ways to compute it meet they agree.
TEST(Statistics, ManyNumbers) {
  Numbers a(12), b(12), c(13);
  std::iota(a.begin(), a.end(), 0.0);
  std::iota(b.begin(), b.end(), 4.5);
  std::iota(c.begin(), c.end(), 4.5);
  const double exact = rank_sum_test(a, b), approximate = rank_sum_test(a, c);
  EXPECT_GT(exact, 0.001);
  EXPECT_LT(exact, 0.05);
  EXPECT_NEAR(approximate, exact, 0.01);
}

}  // namespace
}  // namespace trikal::analyze
