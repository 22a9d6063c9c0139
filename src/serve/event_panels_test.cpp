#include "serve/event_panels.hpp"

#include <gtest/gtest.h>

#include <map>

#include "serve/only_events_test.hpp"

namespace trikal::serve {
namespace {

std::int64_t number(const storage::Value& value) { return std::get<std::int64_t>(value); }

TEST(EventPanels, ShowsTheFirstByTime) {
  OnlyEvents store;
  for (const std::int64_t time : {50, 10, 40, 20, 30})
    store.held.push_back({.time = time * stream::kSecond, .operation = "write"});
  auto table = event_rows(store, {}, 3);
  ASSERT_TRUE(table.ok());
  count_from(*table, 5);
  ASSERT_EQ(table->rows.size(), 3U);
  EXPECT_EQ(number(table->rows[0][0]), 5 * stream::kSecond);
  EXPECT_EQ(number(table->rows[1][0]), 15 * stream::kSecond);
  EXPECT_EQ(number(table->rows[2][0]), 25 * stream::kSecond);
}

TEST(EventPanels, ShowsTheLongest) {
  OnlyEvents store;
  for (const std::int64_t duration : {5, 1, 4, 2, 3})
    store.held.push_back({.time = duration, .duration = duration, .operation = "write", .object = "a", .address = 31});
  const auto table = event_rows(store, {}, 2, EventOrder::kDuration);
  ASSERT_TRUE(table.ok());
  ASSERT_EQ(table->rows.size(), 2U);
  EXPECT_EQ(number(table->rows[0][1]), 5);
  EXPECT_EQ(number(table->rows[1][1]), 4);
  EXPECT_EQ(std::get<std::string>(table->rows[0].back()), "a+0x1f");
}

TEST(EventPanels, CountsDurationsAndLengthsInPowersOfTwo) {
  OnlyEvents store;
  for (std::int64_t i = 1; i <= 1000; ++i)
    store.held.push_back(
        {.duration = i * 1000, .operation = i % 10 == 0 ? "open" : "write", .length = i % 10 == 0 ? 0 : 4096});
  store.held.push_back({.duration = INT64_MAX, .operation = "write", .length = INT64_MAX});
  store.held.push_back({.duration = -5, .operation = "write", .length = -1});
  const auto table = event_distribution(store, {});
  ASSERT_TRUE(table.ok());
  std::map<std::pair<std::string, std::string>, std::int64_t> counts, values;
  for (const storage::Row& row : table->rows) {
    const std::pair key(std::get<std::string>(row[0]), std::get<std::string>(row[1]));
    counts[key] += number(row[3]), values[key] = number(row[2]);
  }
  EXPECT_EQ((counts[{"write", "duration"}]), 902);
  EXPECT_EQ((counts[{"write", "length"}]), 901);
  EXPECT_EQ((counts[{"open", "duration"}]), 100);
  EXPECT_EQ(counts.count({"open", "length"}), 0U);
  EXPECT_NEAR(static_cast<double>(values[{"open", "p50"}]), 505e3, 505e3 / 16);
  EXPECT_NEAR(static_cast<double>(values[{"open", "p99"}]), 1e6, 1e6 / 16);
  EXPECT_EQ((values[{"open", "max"}]), 1'000'000);
  EXPECT_EQ((values[{"write", "max"}]), INT64_MAX);
  EXPECT_NEAR(static_cast<double>(values[{"", "p50"}]), 500e3, 500e3 / 16);
  EXPECT_EQ((counts.count({"", "duration"})), 0U);
}

}  // namespace
}  // namespace trikal::serve
