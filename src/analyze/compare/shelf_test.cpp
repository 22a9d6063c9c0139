#include "analyze/compare/shelf.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace trikal::analyze {
namespace {

constexpr std::uint64_t kPlenty = std::uint64_t{1} << 30;

Bytes bytes(const std::string& text) { return std::as_bytes(std::span{text}); }
std::string text(Bytes bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

TEST(Shelf, FindsByFileAndRank) {
  Shelf shelf(kPlenty);
  shelf.open();
  ASSERT_TRUE(shelf.add({1, 0}, bytes("one")));
  ASSERT_TRUE(shelf.add({1, 1}, bytes("other rank")));
  ASSERT_TRUE(shelf.add({2, 0}, bytes("two")));
  shelf.seal();
  EXPECT_FALSE(shelf.more());
  EXPECT_EQ(text(shelf.take({1, 1})), "other rank");
  EXPECT_EQ(shelf.take({1, 1}).data(), nullptr) << "it is gone";
  EXPECT_EQ(shelf.take({3, 0}).data(), nullptr);
  const auto left = shelf.leftovers();
  ASSERT_EQ(left.size(), 2U);
  EXPECT_EQ(text(left[0]), "one");
  EXPECT_EQ(text(left[1]), "two");
}

TEST(Shelf, EqualKeysGoOutInTheOrderTheyCame) {
  Shelf shelf(kPlenty);
  shelf.open();
  for (const char* name : {"a", "b", "c"}) ASSERT_TRUE(shelf.add({7, -1}, bytes(name)));
  shelf.seal();
  EXPECT_EQ(text(shelf.take({7, -1})), "a");
  EXPECT_EQ(text(shelf.take({7, -1})), "b");
  ASSERT_EQ(shelf.leftovers().size(), 1U);
  EXPECT_EQ(text(shelf.leftovers()[0]), "c");
  EXPECT_EQ(text(shelf.take({7, -1})), "c");
  EXPECT_EQ(shelf.take({7, -1}).data(), nullptr);
}

// Every record is seen in exactly one round, however many are needed.
TEST(Shelf, SmallBudgetMeansSeveralRounds) {
  constexpr std::uint64_t kRecords = 500;
  Shelf shelf(16 * 1024);
  std::map<std::uint64_t, int> found;
  int rounds = 0;
  do {
    shelf.open();
    ++rounds;
    for (std::uint64_t id = 0; id < kRecords; ++id) {
      ASSERT_TRUE(shelf.add({id, 3}, bytes(std::string(200, 'x') + std::to_string(id))));
    }
    shelf.seal();
    for (std::uint64_t id = 0; id < kRecords; id += 2) {
      if (!shelf.covers({id, 3})) continue;
      EXPECT_EQ(text(shelf.take({id, 3})).substr(200), std::to_string(id));
      ++found[id];
    }
    for (const Bytes left : shelf.leftovers()) ++found[std::stoull(text(left).substr(200))];
  } while (shelf.more());
  EXPECT_GT(rounds, 5);
  EXPECT_LT(rounds, 200);
  EXPECT_EQ(found.size(), kRecords);
  for (const auto& [id, times] : found) EXPECT_EQ(times, 1) << id;
}

TEST(Shelf, SaysWhenNoRoundIsSmallEnough) {
  Shelf one(1000);
  one.open();
  EXPECT_EQ(one.add({1, 0}, bytes(std::string(2000, 'x'))).error().code, ErrorCode::kLimit);

  // Records of one key cannot be parted: found out in a few rounds, not in thousands.
  Shelf same(4096);
  Status status;
  int rounds = 0;
  do {
    same.open();
    ++rounds;
    for (int i = 0; i < 100 && status.ok(); ++i) status = same.add({1, 0}, bytes(std::string(200, 'x')));
    same.seal();
  } while (status.ok() && same.more());
  EXPECT_EQ(status.error().code, ErrorCode::kLimit);
  EXPECT_LT(rounds, 20);
}

}  // namespace
}  // namespace trikal::analyze
