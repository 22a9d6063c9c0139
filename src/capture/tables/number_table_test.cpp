#include "capture/tables/number_table.hpp"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace trikal::capture {
namespace {

using Table = NumberTable<int, 1024>;

TEST(NumberTable, EveryNumberHasAnEntryOfItsOwnThatStays) {
  Table table;
  ASSERT_TRUE(table.begin());
  EXPECT_EQ(table.direct(7), table.find(7));
  EXPECT_EQ(table.find(1024), nullptr) << "nothing up there is in use yet";
  std::vector<int*> entries;
  for (const unsigned number : {0U, 1023U, 1024U, 1025U, 5000U, Table::kMost - 1}) {
    int* entry = table.make(number);
    ASSERT_NE(entry, nullptr) << number;
    *entry = static_cast<int>(number) + 1;
    entries.push_back(entry);
    EXPECT_EQ(table.find(number), entry);
  }
  EXPECT_EQ(*table.find(1025), 1026);
  EXPECT_EQ(table.make(1024), entries[2]);
  for (const unsigned number : {Table::kMost, Table::kMost + 1, ~0U}) {
    EXPECT_EQ(table.find(number), nullptr);
    EXPECT_EQ(table.make(number), nullptr);
  }
}

TEST(NumberTable, ThreadsMakeAPieceOnce) {
  Table table;
  ASSERT_TRUE(table.begin());
  std::vector<int*> found(8, nullptr);
  std::vector<std::thread> threads;
  for (int*& entry : found) threads.emplace_back([&table, &entry] { entry = table.make(70000); });
  for (std::thread& thread : threads) thread.join();
  for (const int* entry : found) EXPECT_EQ(entry, found.front());
}

}  // namespace
}  // namespace trikal::capture
