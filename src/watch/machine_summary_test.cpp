#include "watch/machine_summary.hpp"

#include <gtest/gtest.h>

namespace trikal::watch {
namespace {

constexpr stream::Nanoseconds kFirst = 1'700'000'000 * stream::kSecond;

TEST(MachineSummaryTest, MeansCountTheTimeThatAValueIsFor) {
  MachineSummary summary;
  summary.add({{kFirst, "memory.free", "", 100}});  // nothing is known of the time before
  summary.add({{kFirst + stream::kSecond, "memory.free", "", 200}, {kFirst + stream::kSecond, "cpu.user", "", 1}});
  summary.add(
      {{kFirst + 4 * stream::kSecond, "memory.free", "", 600}, {kFirst + 4 * stream::kSecond, "cpu.user", "", 2}});
  const auto rows = summary.rows("node");
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].metric, "cpu.user");
  EXPECT_EQ(rows[0].unit, "processors");
  EXPECT_EQ(rows[0].samples, 2U);
  EXPECT_DOUBLE_EQ(rows[0].mean, (1 * 1 + 3 * 2) / 4.0);
  EXPECT_EQ(rows[1].unit, "bytes");
  EXPECT_EQ(rows[1].host, "node");
  EXPECT_EQ(rows[1].samples, 3U);
  EXPECT_DOUBLE_EQ(rows[1].least, 100);
  EXPECT_DOUBLE_EQ(rows[1].mean, (1 * 200 + 3 * 600) / 4.0);
  EXPECT_DOUBLE_EQ(rows[1].most, 600);
}

TEST(MachineSummaryTest, OneSampleIsItsOwnMean) {
  MachineSummary summary;
  summary.add({});
  EXPECT_TRUE(summary.rows("node").empty());
  summary.add({{kFirst, "disk.read_bytes", "sda", 7}, {kFirst, "disk.reads", "sda", 0.5}});
  const auto rows = summary.rows("node");
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_DOUBLE_EQ(rows[0].mean, 7);
  EXPECT_EQ(rows[0].unit, "bytes/s");
  EXPECT_EQ(rows[1].unit, "1/s");
}

TEST(MachineSummaryTest, DevicesAreApart) {
  MachineSummary summary;
  for (int second = 0; second < 3; ++second)
    summary.add({{kFirst + second * stream::kSecond, "disk.reads", "a", 1},
                 {kFirst + second * stream::kSecond, "disk.reads", "b", 5}});
  const auto rows = summary.rows("node");
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_DOUBLE_EQ(rows[0].mean, 1);
  EXPECT_DOUBLE_EQ(rows[1].mean, 5);
}

}  // namespace
}  // namespace trikal::watch
