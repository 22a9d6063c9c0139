#include "schema/top_four.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <random>
#include <vector>

#include "schema/labels.hpp"

namespace trikal {
namespace {

using ::testing::ElementsAre;

struct Slot {
  std::int64_t value, count;
  bool operator==(const Slot&) const = default;
};
void PrintTo(const Slot& slot, std::ostream* out) { *out << slot.value << " x" << slot.count; }

using Merge = void (*)(TopFour, const std::int64_t*, const std::int64_t*) noexcept;

// Merges two lists of at most four slots and returns the slots in use.
std::vector<Slot> merged(Merge merge, const std::vector<Slot>& into, const std::vector<Slot>& from) {
  std::array<std::int64_t, 8> mine{};
  std::array<std::int64_t, 8> theirs{};
  for (std::size_t i = 0; i < into.size(); ++i) mine[i] = into[i].value, mine[4 + i] = into[i].count;
  for (std::size_t i = 0; i < from.size(); ++i) theirs[i] = from[i].value, theirs[4 + i] = from[i].count;
  merge({mine.data(), mine.data() + 4, 1}, theirs.data(), theirs.data() + 4);
  std::vector<Slot> slots(4);
  for (std::size_t i = 0; i < 4; ++i) slots[i] = {mine[i], mine[4 + i]};
  while (!slots.empty() && slots.back() == Slot{0, 0}) slots.pop_back();
  return slots;
}

TEST(TopFourOfRanks, EqualValuesPoolTheirCountsAndRankAnew) {
  EXPECT_THAT(merged(merge_ranks, {{100, 5}, {200, 4}}, {{200, 4}, {100, 1}}), ElementsAre(Slot{200, 8}, Slot{100, 6}));
}

TEST(TopFourOfRanks, TiesGoToTheLargerValue) {
  EXPECT_THAT(merged(merge_ranks, {{10, 3}, {30, 3}}, {{20, 3}, {40, 3}, {5, 3}}),
              ElementsAre(Slot{40, 3}, Slot{30, 3}, Slot{20, 3}, Slot{10, 3}));
}

TEST(TopFourOfRanks, OnlyFourStay) {
  EXPECT_THAT(merged(merge_ranks, {{1, 9}, {2, 7}, {3, 5}, {4, 3}}, {{5, 8}, {6, 6}, {7, 4}, {8, 2}}),
              ElementsAre(Slot{1, 9}, Slot{5, 8}, Slot{2, 7}, Slot{6, 6}));
}

TEST(TopFourOfRanks, ZeroIsNoValue) {
  EXPECT_THAT(merged(merge_ranks, {{0, 50}, {7, 1}}, {{0, 9}, {8, 2}}), ElementsAre(Slot{8, 2}, Slot{7, 1}));
  EXPECT_THAT(merged(merge_ranks, {}, {}), ElementsAre());
}

TEST(TopFourOfRanks, NegativeGapsAreValues) {
  EXPECT_THAT(merged(merge_ranks, {{-4096, 2}}, {{-4096, 3}, {512, 5}}), ElementsAre(Slot{512, 5}, Slot{-4096, 5}));
}

TEST(TopFourOfRanks, AValueListedTwiceBecomesOne) {
  EXPECT_THAT(merged(merge_ranks, {{10, 2}, {10, 3}}, {{20, 1}}), ElementsAre(Slot{10, 5}, Slot{20, 1}));
  EXPECT_THAT(merged(merge_ranks, {{20, 1}}, {{10, 2}, {10, 3}}), ElementsAre(Slot{10, 5}, Slot{20, 1}));
}

TEST(TopFourOfRanks, HostileCountsDoNotOverflow) {
  const auto most = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(merged(merge_ranks, {{10, most}}, {{10, most}}).size(), 1U);
  EXPECT_EQ(merged(merge_totals, {{10, most}}, {{10, most}}).size(), 1U);
}

// With at most four values in all nothing is lost, so neither order nor grouping matters.
TEST(TopFourOfRanks, OrderDoesNotMatterWhileNothingIsPushedOut) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 200; ++round) {
    std::vector<std::vector<Slot>> lists(6);
    std::map<std::int64_t, std::int64_t> sums;
    for (auto& list : lists) {
      for (const std::int64_t value : {100, 200, 300, 400}) {
        if (random() % 3 == 0) continue;
        list.push_back({value, static_cast<std::int64_t>(random() % 4) + 1});
        sums[value] += list.back().count;
      }
    }
    std::vector<Slot> expected;
    expected.reserve(sums.size());
    for (const auto& [value, count] : sums) expected.push_back({value, count});
    std::ranges::sort(expected, [](const Slot& a, const Slot& b) {
      return a.count != b.count ? a.count > b.count : a.value > b.value;
    });
    std::ranges::shuffle(lists, random);
    std::vector<Slot> into;
    for (const auto& list : lists) into = merged(merge_ranks, into, list);
    EXPECT_EQ(into, expected);
  }
}

// Shapes: eleven words a value.
struct Shape {
  std::array<std::int64_t, kShapeWords> words;
  std::int64_t count;
};

struct ShapeList {
  std::array<std::int64_t, kTopSlots * kShapeWords + kTopSlots> raw{};

  explicit ShapeList(const std::vector<Shape>& shapes) {
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      std::ranges::copy(shapes[i].words, raw.begin() + static_cast<std::ptrdiff_t>(i * kShapeWords));
      raw[kTopSlots * kShapeWords + i] = shapes[i].count;
    }
  }
  void merge(const ShapeList& from) {
    merge_ranks({raw.data(), raw.data() + kTopSlots * kShapeWords, kShapeWords}, from.raw.data(),
                from.raw.data() + kTopSlots * kShapeWords);
  }
  [[nodiscard]] Slot slot(std::size_t i) const { return {raw[i * kShapeWords], raw[kTopSlots * kShapeWords + i]}; }
  [[nodiscard]] std::int64_t last_word(std::size_t i) const { return raw[i * kShapeWords + kShapeWords - 1]; }
};

TEST(TopFourShapes, AreEqualOnlyInAllTheirWords) {
  const Shape flat{{800, 100, 0, 0, 0, 0, 1, 0, 0, 0, 0}, 3};
  const Shape tall{{800, 100, 0, 0, 0, 0, 1, 0, 0, 0, 9}, 2};
  ShapeList list({flat});
  list.merge(ShapeList({tall, flat}));
  EXPECT_EQ(list.slot(0), (Slot{800, 6}));
  EXPECT_EQ(list.last_word(0), 0);
  EXPECT_EQ(list.slot(1), (Slot{800, 2}));
  EXPECT_EQ(list.last_word(1), 9);
  EXPECT_EQ(list.slot(2), (Slot{0, 0}));
}

TEST(TopFourShapes, TiesCompareTheFirstWordAlone) {
  ShapeList list({{{100, 9, 9, 9}, 4}});
  list.merge(ShapeList({{{200, 1, 1, 1}, 4}, {{50, 7, 7, 7}, 4}}));
  EXPECT_EQ(list.slot(0), (Slot{200, 4}));
  EXPECT_EQ(list.slot(1), (Slot{100, 4}));
  EXPECT_EQ(list.slot(2), (Slot{50, 4}));
}

TEST(TopFourShapes, OfTwoThatTieInAllTheLaterComesFirst) {
  ShapeList list({{{100, 1}, 4}});
  list.merge(ShapeList({{{100, 2}, 4}}));
  EXPECT_EQ(list.raw[1], 2);
  EXPECT_EQ(list.raw[kShapeWords + 1], 1);
}

// Unlike plain sizes: only pairs across the two sides are pooled.
TEST(TopFourShapes, ListedTwiceOnOneSideDoNotAddUp) {
  const Shape twice{{100, 1}, 5};
  ShapeList list({twice, {{100, 1}, 2}});
  list.merge(ShapeList({}));
  EXPECT_EQ(list.slot(0), (Slot{100, 5}));
  EXPECT_EQ(list.slot(1), (Slot{100, 2}));
}

TEST(TopFourOfTotals, AListedValueGainsWhereItStands) {
  EXPECT_THAT(merged(merge_totals, {{500, 9}, {100, 2}}, {{100, 50}}), ElementsAre(Slot{500, 9}, Slot{100, 52}));
}

TEST(TopFourOfTotals, ANewValueIsRankedByItsOwnCount) {
  EXPECT_THAT(merged(merge_totals, {{500, 9}, {100, 2}}, {{300, 4}}),
              ElementsAre(Slot{500, 9}, Slot{300, 4}, Slot{100, 2}));
  EXPECT_THAT(merged(merge_totals, {{500, 4}, {100, 4}}, {{300, 4}}),
              ElementsAre(Slot{500, 4}, Slot{300, 4}, Slot{100, 4}));
}

TEST(TopFourOfTotals, GainsComeBeforeNewValues) {
  // 815902 outranks neither 124 nor 42 once these have grown, though it would have before.
  EXPECT_THAT(merged(merge_totals, {{4194304, 155}, {3778268, 5}, {124, 5}, {42, 5}},
                     {{4194304, 240}, {815902, 5}, {124, 5}, {42, 5}}),
              ElementsAre(Slot{4194304, 395}, Slot{3778268, 5}, Slot{124, 10}, Slot{42, 10}));
  // 3947254 does outrank one that did not grow: the last is pushed out, whatever its count.
  EXPECT_THAT(merged(merge_totals, {{4194304, 9}, {3778268, 5}, {124, 60}, {42, 60}}, {{3947254, 5}}),
              ElementsAre(Slot{4194304, 9}, Slot{3947254, 5}, Slot{3778268, 5}, Slot{124, 60}));
}

TEST(TopFourOfTotals, NothingNewChangesNothing) {
  EXPECT_THAT(merged(merge_totals, {{100, 2}, {500, 9}}, {}), ElementsAre(Slot{100, 2}, Slot{500, 9}));
  EXPECT_THAT(merged(merge_totals, {}, {{7, 3}, {6, 3}}), ElementsAre(Slot{7, 3}, Slot{6, 3}));
}

}  // namespace
}  // namespace trikal
