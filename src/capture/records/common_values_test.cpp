#include "capture/records/common_values.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <vector>

namespace trikal::capture {
namespace {

struct Slots {
  std::int64_t values[4] = {}, counts[4] = {};
  CommonValues common;
  void count(std::int64_t value, int times = 1) {
    for (int i = 0; i < times; ++i) common.count(value, values, counts, {});
  }
  using Pair = std::pair<std::int64_t, std::int64_t>;  // value, count
  [[nodiscard]] std::vector<Pair> shown() const {
    std::vector<Pair> pairs;
    for (int i = 0; i < 4; ++i) {
      if (counts[i] != 0) pairs.emplace_back(values[i], counts[i]);
    }
    return pairs;
  }
};
using Pairs = std::vector<Slots::Pair>;

TEST(CommonValues, FourAreRankedByCountThenBySize) {
  Slots slots;
  slots.count(10, 2), slots.count(30, 2), slots.count(20, 5);
  EXPECT_EQ(slots.shown(), (Pairs{{20, 5}, {30, 2}, {10, 2}}));
  slots.count(10);
  EXPECT_EQ(slots.shown(), (Pairs{{20, 5}, {10, 3}, {30, 2}}));
}

TEST(CommonValues, ALateFifthCanBecomeTheFirst) {
  Slots slots;
  for (const int value : {1, 2, 3, 4}) slots.count(value, 3);
  slots.count(5, 10);
  EXPECT_EQ(slots.shown(), (Pairs{{5, 10}, {4, 3}, {3, 3}, {2, 3}}));
  slots.count(1);
  EXPECT_EQ(slots.shown()[1], (Slots::Pair{1, 4})) << "pushed out, but still counted";
}

TEST(CommonValues, ZeroIsNeverShown) {
  Slots slots;
  slots.count(0, 100);
  EXPECT_TRUE(slots.shown().empty());
  for (const int value : {1, 2, 3, 4, 5}) slots.count(value);
  slots.count(0, 100);
  EXPECT_EQ(slots.shown().size(), 4U);
  for (const auto& [value, count] : slots.shown()) EXPECT_NE(value, 0);
}

TEST(CommonValues, NegativeStridesAreValues) {
  Slots slots;
  slots.count(-8, 2), slots.count(8);
  EXPECT_EQ(slots.shown(), (Pairs{{-8, 2}, {8, 1}}));
}

// As exact as counting everything, for as many values as are followed (zero takes a slot, too).
TEST(CommonValues, AgreeWithCountingEverything) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    Slots slots;
    std::map<std::int64_t, std::int64_t> truth;
    const std::int64_t kinds = 1 + static_cast<std::int64_t>(random() % 31);
    for (int i = 0; i < 500; ++i) {
      const std::int64_t value = static_cast<std::int64_t>(random() % kinds) * (random() % 4 == 0 ? 0 : 16);
      slots.count(value);
      if (value != 0) ++truth[value];
    }
    Pairs ranked(truth.begin(), truth.end());
    std::ranges::sort(ranked, [](const auto& a, const auto& b) {
      return a.second != b.second ? a.second > b.second : a.first > b.first;
    });
    if (ranked.size() > 4) ranked.resize(4);
    EXPECT_EQ(slots.shown(), ranked) << "round " << round;
  }
}

TEST(CommonValues, MoreThanAreFollowedDoNoHarm) {
  Slots slots;
  slots.count(1000, 50);
  for (int value = 1; value <= 500; ++value) slots.count(value, 2);
  EXPECT_EQ(slots.shown()[0], (Slots::Pair{1000, 50}));
  EXPECT_EQ(slots.shown().size(), 4U);
}

}  // namespace
}  // namespace trikal::capture
