#include "schema/value_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <random>
#include <vector>

#include "schema/rank_values.hpp"

namespace trikal {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Rows of one word and a count.
struct Rows {
  std::vector<std::int64_t> words;
  [[nodiscard]] ValueTable table() const { return {words.data(), words.size() / 2, 1}; }
  [[nodiscard]] std::vector<std::pair<std::int64_t, std::int64_t>> pairs() const {
    std::vector<std::pair<std::int64_t, std::int64_t>> all;
    for (std::size_t i = 0; i < words.size(); i += 2) all.emplace_back(words[i], words[i + 1]);
    return all;
  }
};
using Pair = std::pair<std::int64_t, std::int64_t>;

Rows made(std::vector<std::int64_t> words) {
  words.resize(2 * make_table(words.data(), words.size() / 2, 1));
  return {words};
}

TEST(ValueTables, AreInOrderWithoutZeroAndDuplicates) {
  const Rows rows = made({500, 1, 0, 99, -8, 2, 500, 4, 7, 1});
  EXPECT_THAT(rows.pairs(), ElementsAre(Pair{-8, 2}, Pair{7, 1}, Pair{500, 5}));
  EXPECT_TRUE(is_table(rows.table()));
  EXPECT_FALSE(is_table(Rows{{7, 1, 7, 2}}.table()));
  EXPECT_FALSE(is_table(Rows{{8, 1, 7, 2}}.table()));
  EXPECT_FALSE(is_table(Rows{{0, 1}}.table()));
}

TEST(ValueTables, AddUp) {
  const Rows a = made({1, 10, 3, 30, 5, 50}), b = made({2, 2, 3, 3, 6, 6});
  std::vector<std::int64_t> sum(12);
  sum.resize(2 * add_tables(a.table(), b.table(), sum.data()));
  EXPECT_THAT(Rows{sum}.pairs(), ElementsAre(Pair{1, 10}, Pair{2, 2}, Pair{3, 33}, Pair{5, 50}, Pair{6, 6}));
}

TEST(ValueTables, KeepTheMostCommonAndOfEqualOnesTheLargest) {
  const auto kept = [](std::vector<std::int64_t> words, std::size_t most) {
    Rows rows = made(std::move(words));
    rows.words.resize(2 * keep_most_common(rows.words.data(), rows.table(), most));
    return rows.pairs();
  };
  EXPECT_THAT(kept({1, 5, 2, 5, 3, 5, 4, 9}, 3), ElementsAre(Pair{2, 5}, Pair{3, 5}, Pair{4, 9}));
  EXPECT_THAT(kept({1, 5, 2, 6}, 5), ElementsAre(Pair{1, 5}, Pair{2, 6}));
  EXPECT_THAT(kept({1, 5, 2, 6}, 0), IsEmpty());
  constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min(),
                         kMost = std::numeric_limits<std::int64_t>::max();
  EXPECT_THAT(kept({1, kLeast, 2, kMost, 3, -1}, 1), ElementsAre(Pair{2, kMost}));
  EXPECT_THAT(kept({1, kLeast, 2, kMost, 3, -1}, 2), ElementsAre(Pair{2, kMost}, Pair{3, -1}));
}

TEST(ValueTables, RankAsRecordsDo) {
  std::array<std::int64_t, 8> slots{};
  const Rows rows = made({10, 3, 20, 3, 30, 1, 40, 9, 50, 1});
  rank_four(rows.table(), {slots.data(), slots.data() + 4, 1});
  EXPECT_THAT(slots, ElementsAre(40, 20, 10, 50, 9, 3, 3, 1));
  rank_four({}, {slots.data(), slots.data() + 4, 1});
  EXPECT_THAT(slots, ElementsAre(0, 0, 0, 0, 0, 0, 0, 0));
}

TEST(ValueTables, FourSlotsAddUpWhileTheyDo) {
  std::array<std::int64_t, 8> into = {100, 200, 0, 0, 5, 4, 0, 0}, from = {200, 100, 7, 0, 4, 1, 1, 0};
  EXPECT_TRUE(add_four({into.data(), into.data() + 4, 1}, {from.data(), from.data() + 4, 1}));
  EXPECT_THAT(into, ElementsAre(200, 100, 7, 0, 8, 6, 1, 0));
  const auto before = into;
  std::array<std::int64_t, 8> more = {1, 2, 0, 0, 9, 9, 0, 0};
  EXPECT_FALSE(add_four({into.data(), into.data() + 4, 1}, {more.data(), more.data() + 4, 1}));
  EXPECT_EQ(into, before);
}

TEST(ValueTables, ShapesAreEqualOnlyInAllTheirWords) {
  constexpr std::size_t kRow = kShapeWords + 1;
  std::array<std::int64_t, 3 * kRow> rows{};
  rows[0] = rows[kRow] = rows[2 * kRow] = 800;
  rows[kShapeWords - 1] = 9;
  rows[kShapeWords] = 2, rows[kRow + kShapeWords] = 3, rows[2 * kRow + kShapeWords] = 4;
  ASSERT_EQ(make_table(rows.data(), 3, kShapeWords), 2U);
  EXPECT_EQ(rows[kShapeWords], 7);
  EXPECT_EQ(rows[kRow + kShapeWords], 2);
  EXPECT_EQ(rows[kRow + kShapeWords - 1], 9);
}

// A table beside a record, for tests.
struct Beside {
  std::vector<std::int64_t>& words;
  [[nodiscard]] ValueTable current() const { return Rows{words}.table().size == 0 ? ValueTable{} : view(); }
  [[nodiscard]] ValueTable view() const { return {words.data(), words.size() / 2, 1}; }
  bool add(const ValueTable& more) const {
    std::vector<std::int64_t> sum(words.size() + 2 * more.size);
    sum.resize(2 * add_tables(view(), more, sum.data()));
    words = sum;
    return true;
  }
};

// What ranks have together is what counting everything in one process would give, in whatever order they are folded.
TEST(ValuesOfRanks, AreCutToFourOnlyAtTheEnd) {
  constexpr FoldPlan::Top kTop{0, kTopSlots, 0};
  std::mt19937_64 random(3);
  for (int round = 0; round < 300; ++round) {
    const std::size_t kinds = 1 + random() % 12;
    std::map<std::int64_t, std::int64_t> truth;
    std::array<std::int64_t, 8> folded{};
    std::vector<std::int64_t> words;
    for (std::size_t rank = 0; rank < 1 + round % 16U; ++rank) {
      std::array<std::int64_t, 8> own{};
      for (std::size_t i = 0; i < random() % 5; ++i) {
        own[i] = static_cast<std::int64_t>(8 * (1 + random() % kinds));
        if (std::find(own.begin(), own.begin() + static_cast<std::ptrdiff_t>(i), own[i]) !=
            own.begin() + static_cast<std::ptrdiff_t>(i))
          own[i] = 0;
        if (own[i] != 0) truth[own[i]] += own[4 + i] = static_cast<std::int64_t>(1 + random() % 3);
      }
      ASSERT_TRUE(add_rank_values(kTop, reinterpret_cast<std::byte*>(folded.data()),
                                  reinterpret_cast<const std::byte*>(own.data()), Beside{words}));
    }
    ASSERT_TRUE(cut_to_four(kTop, reinterpret_cast<std::byte*>(folded.data()), Beside{words}));
    std::vector<Pair> expected(truth.begin(), truth.end());
    std::ranges::sort(expected, [](const Pair& a, const Pair& b) {
      return a.second != b.second ? a.second > b.second : a.first > b.first;
    });
    expected.resize(4);
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ((Pair{folded[i], folded[4 + i]}), expected[i]) << "round " << round;
  }
}

}  // namespace
}  // namespace trikal
