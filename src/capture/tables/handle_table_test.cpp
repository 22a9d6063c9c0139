#include "capture/tables/handle_table.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace trikal::capture {
namespace {

constexpr std::int64_t kDatasets = std::int64_t{5} << 56;  // as HDF5 numbers them

TEST(HandleTable, FindsWhatWasSet) {
  HandleTable<int> table;
  int value = 7;
  EXPECT_FALSE(table.find(kDatasets, value));
  table.set(kDatasets, 1);
  table.set(kDatasets + 1, 2);
  table.set(kDatasets, 3);
  EXPECT_TRUE(table.find(kDatasets, value));
  EXPECT_EQ(value, 3);
  EXPECT_TRUE(table.take(kDatasets, value));
  EXPECT_FALSE(table.take(kDatasets, value));
  EXPECT_TRUE(table.find(kDatasets + 1, value));
  EXPECT_EQ(value, 2);
  EXPECT_EQ(table.size(), 1U);
}

TEST(HandleTable, KeepsNoHandleZero) {
  HandleTable<int> table;
  int value = 0;
  table.set(0, 1);
  EXPECT_FALSE(table.find(0, value));
  EXPECT_FALSE(table.take(0, value));
}

TEST(HandleTable, ForgetsAllAfterAFork) {
  HandleTable<int> table;
  int value = 0;
  for (int i = 1; i < 1000; ++i) table.set(kDatasets + i, i);
  table.after_fork();
  EXPECT_EQ(table.size(), 0U);
  for (int i = 1; i < 1000; ++i) EXPECT_FALSE(table.find(kDatasets + i, value));
}

// Handles that never come again, of which a few hundred are open at a time; an ordinary map knows what is right.
TEST(HandleTable, IsRightWhateverIsClosed) {
  HandleTable<std::int64_t> table;
  std::map<std::int64_t, std::int64_t> right;
  std::mt19937_64 random(22);
  std::int64_t next = kDatasets;
  for (int step = 0; step < 200'000; ++step) {
    if (right.size() < 100 || random() % 2 == 0) {
      next += 1 + static_cast<std::int64_t>(random() % 3);
      table.set(next, step);
      right[next] = step;
      continue;
    }
    const auto chosen =
        std::next(right.begin(), static_cast<std::ptrdiff_t>(random() % std::min<std::size_t>(right.size(), 50)));
    std::int64_t value = -1;
    ASSERT_TRUE(table.take(chosen->first, value));
    ASSERT_EQ(value, chosen->second);
    right.erase(chosen);
  }
  ASSERT_EQ(table.size(), right.size());
  for (const auto& [handle, expected] : right) {
    std::int64_t value = -1;
    ASSERT_TRUE(table.find(handle, value));
    ASSERT_EQ(value, expected);
  }
}

}  // namespace
}  // namespace trikal::capture
