#include "serve/event_sums.hpp"

#include <gtest/gtest.h>

#include "serve/only_events_test.hpp"

namespace trikal::serve {
namespace {

std::string text(const storage::Table& table) {
  std::string lines;
  for (const storage::Row& row : table.rows) {
    for (const storage::Value& value : row) {
      if (const auto* number = std::get_if<std::int64_t>(&value)) lines += std::to_string(*number) + " ";
      else if (const auto* real = std::get_if<double>(&value)) lines += std::to_string(*real).substr(0, 4) + " ";
      else lines += std::get<std::string>(value) + " ";
    }
    lines += "\n";
  }
  return lines;
}

OnlyEvents some() {
  OnlyEvents store;
  store.held = {
      {.process_row = 1,
       .pid = 10,
       .rank = 0,
       .thread = 0,
       .time = 100,
       .duration = 500'000'000,
       .operation = "write",
       .length = 5},
      {.process_row = 1,
       .pid = 10,
       .rank = 0,
       .thread = 1,
       .time = 149,
       .duration = 500'000'000,
       .operation = "pwrite",
       .length = 6},
      {.process_row = 2,
       .pid = 11,
       .rank = 1,
       .thread = 0,
       .time = 150,
       .duration = 1'000'000'000,
       .operation = "open"},
      {.process_row = 2,
       .pid = 11,
       .rank = 1,
       .thread = 0,
       .time = 199,
       .duration = 0,
       .operation = "fread",
       .length = 7},
  };
  return store;
}

TEST(EventSums, AddsUpByRankAndTime) {
  OnlyEvents store = some();
  std::int64_t width = 0;
  const auto table = event_sums(store, {.from = 100, .to = 200}, "rank", 2, &width);
  ASSERT_TRUE(table.ok());
  EXPECT_EQ(width, 50);
  EXPECT_EQ(table->columns.front(), "begin");
  EXPECT_EQ(text(*table), "100 0 write 2 11 1.00 \n150 1 read 1 7 0.00 \n150 1 metadata 1 0 1.00 \n");
}

TEST(EventSums, AddsUpByThreadAndCallOverAllTime) {
  OnlyEvents store = some();
  std::int64_t width = 0;
  EXPECT_EQ(text(*event_sums(store, {}, "thread", 0, &width)),
            "10/0 write 1 5 0.50 \n10/1 write 1 6 0.50 \n11/0 read 1 7 0.00 \n11/0 metadata 1 0 1.00 \n");
  EXPECT_EQ(text(*event_sums(store, {}, "call", 0, &width)),
            "fread read 1 7 0.00 \nopen metadata 1 0 1.00 \npwrite write 1 6 0.50 \nwrite write 1 5 0.50 \n");
}

TEST(EventSums, SlicesAreNeverShorterThanANanosecond) {
  OnlyEvents store = some();
  std::int64_t width = 0;
  const auto table = event_sums(store, {.from = 100, .to = 102}, "process", 2000, &width);
  ASSERT_TRUE(table.ok());
  EXPECT_EQ(width, 1);
}

}  // namespace
}  // namespace trikal::serve
