#include "analyze/dataset/trace_heat.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <numeric>

namespace trikal::analyze {
namespace {

TEST(TraceHeat, BytesAreWhereTheTimeIs) {
  TraceHeat heat(20);  // slices of 0.1 s
  heat.add(3, true, {0, 1000, 0.05, 0.06, 0});
  heat.add(3, false, {0, 1000, 1.05, 1.25, 0});
  heat.add(1, true, {0, 7, 19.99, 500, 0});  // behind the end
  const auto rows = heat.rows();
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].rank, 1);
  EXPECT_EQ(rows[0].written[199], 7);
  EXPECT_EQ(rows[1].written[0], 1000);
  EXPECT_EQ(rows[1].read[10], 250);
  EXPECT_EQ(rows[1].read[11], 500);
  EXPECT_EQ(rows[1].read[12], 250);
  EXPECT_DOUBLE_EQ(rows[1].width, 0.1);
}

TEST(TraceHeat, NoByteIsLostWhateverTheTimesAre) {
  TraceHeat heat(7);
  std::int64_t all = 0;
  for (int i = 0; i < 1000; ++i) {
    const double start = (i * 7919 % 900) * 0.01 - 1;
    heat.add(0, true, {0, 1000 + i, start, start + (i % 13) * 0.3, 0});
    all += 1000 + i;
  }
  heat.add(0, true, {0, 1, std::numeric_limits<double>::quiet_NaN(), 1, 0});
  heat.add(0, true, {0, 1, 2, 1, 0});
  const auto rows = heat.rows();
  EXPECT_EQ(std::accumulate(rows[0].written.begin(), rows[0].written.end(), std::int64_t{0}), all);
}

TEST(TraceHeat, OfVeryManyRanksThereIsNone) {
  TraceHeat heat(1);
  for (int rank = 0; rank < 5000; ++rank) heat.add(rank, true, {0, 1, 0, 0.5, 0});
  EXPECT_TRUE(heat.rows().empty());
}

}  // namespace
}  // namespace trikal::analyze
