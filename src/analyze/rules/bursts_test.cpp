#include "analyze/rules/bursts.hpp"

#include <gtest/gtest.h>

namespace trikal::analyze {
namespace {

Timeline with(std::vector<double> written) {
  Timeline timeline;
  timeline.width = 0.5;
  timeline.read.assign(written.size(), 0);
  timeline.written = std::move(written);
  return timeline;
}

TEST(Bursts, PausesPartThem) {
  const auto bursts = find_bursts(with({0, 100, 90, 0, 0, 80, 0, 70, 1, 0, 0, 60}), 2);
  ASSERT_EQ(bursts.size(), 3U);
  EXPECT_EQ(bursts[0].first, 1U);
  EXPECT_EQ(bursts[0].last, 2U);
  EXPECT_DOUBLE_EQ(bursts[0].bytes, 190);
  // One idle slice is no pause, and what is hardly anything is idle.
  EXPECT_EQ(bursts[1].first, 5U);
  EXPECT_EQ(bursts[1].last, 7U);
  EXPECT_EQ(bursts[2].first, 11U);
  EXPECT_TRUE(find_bursts(with({}), 1).empty());
  EXPECT_TRUE(find_bursts(with({0, 0}), 1).empty());
}

TEST(Bursts, ThePeriodIsFound) {
  const auto period = find_period(with({0, 0, 8, 8, 0, 0, 0, 8, 8, 0, 0, 0, 8, 8, 0, 0, 0, 8, 8}), 3, 0.5);
  ASSERT_TRUE(period);
  EXPECT_DOUBLE_EQ(period->seconds, 5 * 0.5);
  EXPECT_DOUBLE_EQ(period->times, 4);
  EXPECT_DOUBLE_EQ(period->bytes, 16);
}

TEST(Bursts, EvenAndIrregularTrafficHasNone) {
  EXPECT_FALSE(find_period(with(std::vector<double>(50, 7)), 3, 0.5));
  EXPECT_FALSE(find_period(with({9, 0, 0, 0, 0, 9, 0, 9, 0, 0, 0, 0, 0, 0, 0, 9, 9, 0, 0, 9}), 3, 0.5));
  // Two levels with a ripple on each are no bursts.
  std::vector<double> steps;
  for (int i = 0; i < 90; ++i) steps.push_back((i < 60 ? 1 : 5) + (i % 7 == 0 ? 1 : 0));
  EXPECT_FALSE(find_period(with(steps), 3, 0.5));
  EXPECT_FALSE(find_period(with({8, 0, 0, 8}), 3, 0.5));                          // too short to tell
  EXPECT_FALSE(find_period(with({8, 8, 0, 0, 0, 0, 0, 0, 8, 8, 0, 0}), 3, 0.5));  // seen twice only
}

}  // namespace
}  // namespace trikal::analyze
