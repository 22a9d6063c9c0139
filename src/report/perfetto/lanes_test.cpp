#include "report/perfetto/lanes.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace trikal::report {
namespace {

TEST(Lanes, OneRowWhileNothingOverlaps) {
  Lanes lanes;
  EXPECT_EQ(lanes.lane_for(0, 0, 10), 0U);
  EXPECT_EQ(lanes.lane_for(0, 10, 20), 0U) << "begins where the last one ends";
  EXPECT_EQ(lanes.lane_for(0, 20, 20), 0U) << "no time at all";
  EXPECT_EQ(lanes.lane_for(0, 20, 30), 0U);
  EXPECT_EQ(lanes.size(), 1U);
}

TEST(Lanes, WhatOverlapsGoesToTheFirstRowThatIsFree) {
  Lanes lanes;
  EXPECT_EQ(lanes.lane_for(0, 0, 100), 0U);
  EXPECT_EQ(lanes.lane_for(0, 10, 20), 1U);
  EXPECT_EQ(lanes.lane_for(0, 15, 30), 2U);
  EXPECT_EQ(lanes.lane_for(0, 20, 40), 1U);
  EXPECT_EQ(lanes.lane_for(0, 100, 110), 0U);
  EXPECT_EQ(lanes.size(), 3U);
}

TEST(Lanes, ThreadsDoNotShareRows) {
  Lanes lanes;
  EXPECT_EQ(lanes.lane_for(7, 0, 10), 0U);
  EXPECT_EQ(lanes.lane_for(8, 50, 60), 1U);
  EXPECT_EQ(lanes.lane_for(7, 20, 30), 0U);
  EXPECT_EQ(lanes.thread_of(0), 7U);
  EXPECT_EQ(lanes.thread_of(1), 8U);
}

TEST(Lanes, AnEarlierStartDoesNotGoBehindALaterEnd) {
  Lanes lanes;
  EXPECT_EQ(lanes.lane_for(0, 50, 60), 0U);
  EXPECT_EQ(lanes.lane_for(0, 10, 20), 1U) << "records need not be in the order of time";
}

TEST(Lanes, TheNextFileBeginsAnew) {
  Lanes lanes;
  lanes.lane_for(0, 0, 10);
  lanes.lane_for(0, 0, 10);
  lanes.clear();
  EXPECT_EQ(lanes.size(), 0U);
  EXPECT_EQ(lanes.lane_for(0, 5, 6), 0U);
}

TEST(Lanes, RowsAreBoundedAndTheOneFreeEarliestIsTaken) {
  Lanes lanes;
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(Lanes::kMost); ++i) {
    lanes.lane_for(0, 0, 1000 - i);
  }
  EXPECT_EQ(lanes.size(), Lanes::kMost);
  EXPECT_EQ(lanes.lane_for(0, 0, 5000), Lanes::kMost - 1);
  EXPECT_EQ(lanes.lane_for(0, 0, 5000), Lanes::kMost - 2);
  EXPECT_EQ(lanes.size(), Lanes::kMost);
}

TEST(Lanes, NoTwoAccessesOnARowOverlap) {
  std::mt19937 random(20261115);
  std::uniform_int_distribution<std::int64_t> when(0, 100000);
  std::uniform_int_distribution<std::int64_t> long_for(0, 500);
  Lanes lanes;
  std::map<std::size_t, std::pair<std::int64_t, std::uint64_t>> rows;  // free from, thread
  for (int i = 0; i < 2000; ++i) {
    const std::int64_t start = i * 40 + when(random) % 200;
    const std::int64_t end = start + long_for(random);
    const auto thread = static_cast<std::uint64_t>(i % 3);
    const std::size_t row = lanes.lane_for(thread, start, end);
    const auto [held, fresh] = rows.try_emplace(row, end, thread);
    if (fresh) continue;
    EXPECT_GE(start, held->second.first);
    EXPECT_EQ(thread, held->second.second);
    held->second.first = end;
  }
  EXPECT_LT(lanes.size(), Lanes::kMost) << "the bound must not have hidden an overlap";
}

}  // namespace
}  // namespace trikal::report
