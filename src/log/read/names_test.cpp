#include "log/read/names.hpp"

#include <gtest/gtest.h>

#include <string>

namespace trikal::log {
namespace {

TEST(NameTable, FindsWhatWasAdded) {
  NameTable table;
  EXPECT_EQ(table.find(1), nullptr);
  table.add(1, "one");
  table.add(0, "zero");
  table.add(~std::uint64_t{0}, "all");
  EXPECT_EQ(table.name_of(1, "?"), "one");
  EXPECT_EQ(table.name_of(0, "?"), "zero");
  EXPECT_EQ(table.name_of(~std::uint64_t{0}, "?"), "all");
  EXPECT_EQ(table.name_of(2, "?"), "?");
}

TEST(NameTable, TheFirstNameThatIsNotEmptyWins) {
  NameTable table;
  table.add(1, "");
  EXPECT_EQ(table.name_of(1, "?"), "") << "an empty name is a name";
  table.add(1, "first");
  table.add(1, "second");
  table.add(1, "");
  EXPECT_EQ(table.name_of(1, "?"), "first");
  EXPECT_EQ(table.entries().size(), 1U);
}

TEST(NameTable, KeepsTheOrderOfFirstAppearance) {
  NameTable table;
  for (const std::uint64_t id : {9, 3, 9, 7, 3}) table.add(id, std::to_string(id));
  std::string order;
  for (const auto& entry : table.entries()) order += table.text(entry);
  EXPECT_EQ(order, "937");
}

TEST(NameTable, ManyNamesOfManyLengths) {
  NameTable table;
  const auto name = [](std::size_t i) { return std::string(i * 37 % 3000, static_cast<char>('a' + i % 26)); };
  for (std::size_t i = 0; i < 5000; ++i) table.add(i * i, name(i));
  table.add(42424242, std::string(3 << 20, 'L'));
  for (std::size_t i = 0; i < 5000; ++i) ASSERT_EQ(table.name_of(i * i, "?"), name(i));
  EXPECT_EQ(table.name_of(42424242, "?").size(), 3U << 20);
}

TEST(NameTable, SaysBeforehandWhatItWillTake) {
  NameTable table;
  for (std::size_t i = 0; i < 20000; ++i) {
    const std::string name(i % 7 == 0 ? i : i % 50, 'n');
    const std::uint64_t told = table.bytes_after(name.size());
    table.add(i, name);
    ASSERT_LE(table.bytes(), told) << i;
  }
}

// What made the old table quadratic: ids that all fell on one slot. Nobody can choose such ids any more, and
// three hundred thousand of any kind take a fraction of a second; with a chain of them it would be hours.
TEST(NameTable, ChosenIdsDoNotSlowItDown) {
  constexpr std::uint64_t kInverse = 0xf1de83e19937733dU;  // of the multiplier the table once used
  NameTable table;
  for (std::uint64_t i = 0; i < 300000; ++i) table.add(i * kInverse, "");
  for (std::uint64_t i = 0; i < 300000; ++i) table.add(i << 40, "");
  EXPECT_EQ(table.entries().size(), 599999U);
}

}  // namespace
}  // namespace trikal::log
