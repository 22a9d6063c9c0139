#include "capture/records/common_shapes.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace trikal::capture {
namespace {

class CommonShapesTest : public testing::Test {
 protected:
  void count(std::int64_t bytes, std::int64_t length, int times = 1) {
    for (int i = 0; i < times; ++i) shapes_.count({bytes, length}, {values_.data(), counts_.data(), kShapeWords}, {});
  }
  // Bytes, length and count of each slot that is taken.
  [[nodiscard]] std::vector<std::array<std::int64_t, 3>> shown() const {
    std::vector<std::array<std::int64_t, 3>> all;
    for (std::size_t i = 0; i < kTopSlots && counts_[i] != 0; ++i)
      all.push_back({values_[i * kShapeWords], values_[i * kShapeWords + 1], counts_[i]});
    return all;
  }

  CommonShapes shapes_;
  std::array<std::int64_t, kTopSlots * kShapeWords> values_{};
  std::array<std::int64_t, kTopSlots> counts_{};
};
using Shown = std::vector<std::array<std::int64_t, 3>>;

TEST_F(CommonShapesTest, TellsShapesOfTheSameSizeApart) {
  count(800, 10, 2);
  count(800, 20, 3);
  EXPECT_EQ(shown(), (Shown{{800, 20, 3}, {800, 10, 2}}));
}

TEST_F(CommonShapesTest, RanksByCountThenBySize) {
  count(8, 1);
  count(16, 1);
  count(4, 1, 2);
  count(12, 1);
  EXPECT_EQ(shown(), (Shown{{4, 1, 2}, {16, 1, 1}, {12, 1, 1}, {8, 1, 1}}));
}

TEST_F(CommonShapesTest, LeavesOutWhatHasNoBytes) {
  count(0, 5, 10);
  EXPECT_TRUE(shown().empty());
}

TEST_F(CommonShapesTest, RemembersWhatFellOutOfTheFour) {
  for (std::int64_t bytes = 10; bytes <= 60; bytes += 10) count(bytes, 1, 2);
  EXPECT_EQ(shown(), (Shown{{60, 1, 2}, {50, 1, 2}, {40, 1, 2}, {30, 1, 2}}));
  count(10, 1);
  EXPECT_EQ(shown(), (Shown{{10, 1, 3}, {60, 1, 2}, {50, 1, 2}, {40, 1, 2}}));
  count(60, 1, 2);
  EXPECT_EQ(shown(), (Shown{{60, 1, 4}, {10, 1, 3}, {50, 1, 2}, {40, 1, 2}}));
}

TEST_F(CommonShapesTest, FollowsThirtyTwoAndNoMore) {
  for (std::int64_t i = 1; i <= 32; ++i) count(i, 1);
  count(100, 1, 50);
  EXPECT_EQ(shown(), (Shown{{32, 1, 1}, {31, 1, 1}, {30, 1, 1}, {29, 1, 1}}));
  count(1, 1);
  EXPECT_EQ(shown().front(), (std::array<std::int64_t, 3>{1, 1, 2}));
}

}  // namespace
}  // namespace trikal::capture
