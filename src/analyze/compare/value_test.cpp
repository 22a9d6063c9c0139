#include "analyze/compare/value.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace trikal::analyze {
namespace {

constexpr std::int64_t kBig = std::numeric_limits<std::int64_t>::max();
const double kNan = std::numeric_limits<double>::quiet_NaN();
const double kInf = std::numeric_limits<double>::infinity();

Value i(std::int64_t value) { return value; }

TEST(Value, ChangeIsAPartOfTheLargerOne) {
  EXPECT_DOUBLE_EQ(relative_change(i(100), i(200)), 0.5);
  EXPECT_DOUBLE_EQ(relative_change(i(200), i(100)), 0.5);
  EXPECT_DOUBLE_EQ(relative_change(i(0), i(7)), 1);
  EXPECT_DOUBLE_EQ(relative_change(i(0), i(0)), 0);
  EXPECT_DOUBLE_EQ(relative_change(i(-5), i(5)), 1) << "never more than all of it";
  EXPECT_DOUBLE_EQ(relative_change(i(-kBig - 1), i(kBig)), 1) << "no overflow";
  EXPECT_DOUBLE_EQ(relative_change(1.0, 1.25), 0.2);
  EXPECT_DOUBLE_EQ(relative_change(kNan, 1.0), 1);
  EXPECT_DOUBLE_EQ(relative_change(kNan, kNan), 0);
  EXPECT_DOUBLE_EQ(relative_change(std::string("x"), std::string("y")), 1);
  EXPECT_DOUBLE_EQ(relative_change(Value(), i(1)), 1);
}

TEST(Value, WithoutToleranceOnlyEqualsAreTheSame) {
  EXPECT_TRUE(same(i(3), i(3), {}));
  EXPECT_FALSE(same(i(kBig), i(kBig - 1), {})) << "as doubles they would be the same";
  EXPECT_TRUE(same(0.0, -0.0, {}));
  EXPECT_TRUE(same(kNan, kNan, {}));
  EXPECT_TRUE(same(kInf, kInf, {}));
  EXPECT_FALSE(same(kInf, -kInf, {}));
  EXPECT_FALSE(same(Value(), std::string(), {}));
}

TEST(Value, EitherToleranceIsEnough) {
  EXPECT_TRUE(same(i(100), i(105), {.relative = 0.05}));
  EXPECT_FALSE(same(i(100), i(106), {.relative = 0.05}));
  EXPECT_TRUE(same(i(0), i(2), {.absolute = 2}));
  EXPECT_FALSE(same(i(0), i(3), {.absolute = 2}));
  EXPECT_TRUE(same(i(0), i(2), {.relative = 0.01, .absolute = 2}));
  EXPECT_FALSE(same(kNan, 1.0, {.relative = 1, .absolute = 1e300}));
  EXPECT_FALSE(same(std::string("a"), std::string("b"), {.relative = 1, .absolute = 1e300}));
}

TEST(Value, TimesAndWhatTheyDecide) {
  EXPECT_TRUE(depends_on_time(Unit::kSeconds, Fold::kSum));
  EXPECT_TRUE(depends_on_time(Unit::kTimestamp, Fold::kMax));
  EXPECT_TRUE(depends_on_time(Unit::kRank, Fold::kSlowestRank));
  EXPECT_TRUE(depends_on_time(Unit::kBytes, Fold::kWithMaxRead));
  EXPECT_TRUE(depends_on_time(Unit::kNone, Fold::kVarianceTime));
  EXPECT_FALSE(depends_on_time(Unit::kBytes, Fold::kSum));
  EXPECT_FALSE(depends_on_time(Unit::kNone, Fold::kVarianceBytes));
}

}  // namespace
}  // namespace trikal::analyze
