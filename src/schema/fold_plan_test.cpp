// The plan itself: that every counter of a table gets its rule.

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "schema/families.hpp"
#include "schema/fold.hpp"

namespace trikal {
namespace {

static_assert(fold_runs(std::array<Counter, 0>{}) == 0);
static_assert(fold_runs(rows({{"A", Unit::kCalls, Fold::kSum, "x"}, {"B", Unit::kCalls, Fold::kSum, "x"}})) == 1);
static_assert(fold_runs(rows({{"A", Unit::kCalls, Fold::kSum, "x"},
                              {"B", Unit::kNone, Fold::kFastestRank, "x"},
                              {"C", Unit::kCalls, Fold::kSum, "x"}})) == 2);
static_assert(fold_runs(rows({{"A", Unit::kCalls, Fold::kSum, "x"}, real("B", Unit::kSeconds, Fold::kSum, "x")})) == 2);

// Counters that alternate between two rules, so that each is a run of its own.
template <std::size_t Count>
constexpr auto kAlternating = [] {
  std::array<Counter, Count> all{};
  for (std::size_t i = 0; i < Count; ++i) all[i] = {"T_X", Unit::kCalls, i % 2 == 0 ? Fold::kSum : Fold::kMax, "x"};
  return all;
}();

template <std::size_t Count>
constexpr ModuleSchema kAlternatingModule = {.id = 61,
                                             .name = "T",
                                             .prefix = "T",
                                             .version = 1,
                                             .shape = Shape::kFixed,
                                             .head_bytes = 16 + 8 * Count,
                                             .counters_at = 16,
                                             .counters = kAlternating<Count>,
                                             .fields = {},
                                             .totals = false,
                                             .roles = {},
                                             .help = "x"};

TEST(FoldPlan, NoRunIsLost) {
  constexpr std::size_t kMost = FoldPlan::kMaxRuns;
  static_assert(fold_runs(kAlternating<kMost>) == kMost);
  const FoldPlan plan(kAlternatingModule<kMost>);
  std::vector<std::int64_t> into(2 + kMost, 5), from(2 + kMost, 7);
  plan.combine_ranks(reinterpret_cast<std::byte*>(into.data()), reinterpret_cast<const std::byte*>(from.data()));
  for (std::size_t i = 0; i < kMost; ++i) EXPECT_EQ(into[2 + i], i % 2 == 0 ? 12 : 7) << i;
}

TEST(FoldPlanDeathTest, TooManyRunsEndTheProgram) {
  EXPECT_DEATH(FoldPlan{kAlternatingModule<FoldPlan::kMaxRuns + 1>}, "");
}

}  // namespace
}  // namespace trikal
