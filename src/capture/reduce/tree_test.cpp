#include "capture/reduce/tree.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace trikal::capture {
namespace {

std::vector<std::int64_t> children_of(std::int64_t rank, std::int64_t ranks) {
  std::vector<std::int64_t> children;
  for_each_child(rank, ranks, [&](std::int64_t child) { children.push_back(child); });
  return children;
}

TEST(TreeOfRanks, EverybodyHasOneParentThatKnowsIt) {
  for (const std::int64_t ranks : {1, 2, 3, 63, 64, 65, 127, 128, 129, 4095, 4096, 4097, 8300, 120'000, 262'145}) {
    std::vector<int> found(static_cast<std::size_t>(ranks));
    for (std::int64_t rank = 0; rank < ranks; ++rank) {
      for (const std::int64_t child : children_of(rank, ranks)) {
        ASSERT_LT(child, ranks);
        ASSERT_EQ(parent_of(child), rank) << child << " of " << ranks;
        found[static_cast<std::size_t>(child)] += 1;
      }
    }
    EXPECT_EQ(found[0], 0);
    for (std::size_t rank = 1; rank < found.size(); ++rank) ASSERT_EQ(found[rank], 1) << rank << " of " << ranks;
  }
}

TEST(TreeOfRanks, ChildrenStandForConsecutiveRanksInOrder) {
  for (const std::int64_t ranks : {2, 64, 65, 200, 4097, 9000}) {
    for (std::int64_t rank = 0; rank < ranks; rank += rank < 130 ? 1 : 64) {
      std::int64_t next = rank + 1;
      for (const std::int64_t child : children_of(rank, ranks)) {
        EXPECT_EQ(child, next) << rank << " of " << ranks;
        next = end_below(child, ranks);
      }
      EXPECT_EQ(next, rank == 0 ? ranks : end_below(rank, ranks));
    }
  }
}

TEST(TreeOfRanks, IsShallow) {
  int depth = 0;
  for (std::int64_t rank = 119'999; rank > 0; rank = parent_of(rank)) ++depth;
  EXPECT_LE(depth, 6);
}

TEST(PartsOfABlock, RanksOfOneNodePackTogether) {
  const std::vector<Member> block = {{1, 10}, {1, 10}, {2, 10}, {2, 10}, {1, 10}};
  const auto parts = make_parts(block, 100);
  for (const std::size_t rank : {0, 1, 4}) EXPECT_EQ(parts[rank], 0b10011U);
  for (const std::size_t rank : {2, 3}) EXPECT_EQ(parts[rank], 0b01100U);
}

TEST(PartsOfABlock, ManyBytesArePackedSideBySide) {
  const std::vector<Member> block = {{1, 60}, {1, 60}, {2, 60}};
  const auto parts = make_parts(block, 100);
  EXPECT_EQ(parts[0], 0b001U);
  EXPECT_EQ(parts[1], 0b010U);
  EXPECT_EQ(parts[2], 0b100U);
}

TEST(PartsOfABlock, SizesThatMakeNoSenseAreLarge) {
  const std::uint64_t most = ~std::uint64_t{0};
  const std::vector<Member> block = {{1, most}, {1, most}, {1, 2}};
  EXPECT_EQ(make_parts(block, 100)[0], 0b001U);
}

TEST(PartsOfABlock, WholeBlock) {
  const std::vector<Member> block(kBlock, Member{7, 1});
  EXPECT_EQ(make_parts(block, 100)[63], ~std::uint64_t{0});
}

}  // namespace
}  // namespace trikal::capture
