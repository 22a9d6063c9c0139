#include "analyze/dataset/trace_heat.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <numeric>

namespace trikal::analyze {
namespace {

std::int64_t sum(const std::vector<std::int64_t>& slices) {
  return std::accumulate(slices.begin(), slices.end(), std::int64_t{0});
}

TEST(TraceHeat, PutsBytesWhereTheyMoved) {
  TraceHeat heat(2, 4);  // slices of 10 ms
  HeatRow* row = heat.row("POSIX", 3);
  ASSERT_NE(row, nullptr);
  TraceHeat::add(*row, true, {.offset = 0, .length = 400, .start = 0.005, .end = 0.025, .thread = 0});
  TraceHeat::add(*row, false, {.offset = 0, .length = 7, .start = 1.999, .end = 1.9995, .thread = 0});
  const std::vector<HeatRow> rows = std::move(heat).rows();
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].rank, 3);
  EXPECT_DOUBLE_EQ(rows[0].width, 0.01);
  EXPECT_NEAR(static_cast<double>(rows[0].written[0]), 100, 1);
  EXPECT_NEAR(static_cast<double>(rows[0].written[1]), 200, 1);
  EXPECT_NEAR(static_cast<double>(rows[0].written[2]), 100, 2);
  EXPECT_EQ(sum(rows[0].written), 400);
  EXPECT_EQ(rows[0].read.back(), 7);
}

TEST(TraceHeat, KeepsEveryByteWhateverTimesSay) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN(), kFar = 1e300;
  const modules::dxt::Segment odd[] = {{0, 10, -5, 3, 0},    {0, 10, 3, -5, 0},   {0, 10, kNone, 1, 0},
                                       {0, 10, 1, kNone, 0}, {0, 10, 0, kFar, 0}, {0, 10, kFar, kFar, 0},
                                       {0, 10, 1, 1, 0}};
  TraceHeat heat(1, 1);
  HeatRow* row = heat.row("POSIX", 0);
  ASSERT_NE(row, nullptr);
  for (const auto& segment : odd) TraceHeat::add(*row, true, segment);
  EXPECT_EQ(sum(row->written), 10 * static_cast<std::int64_t>(std::size(odd)));
}

TEST(TraceHeat, ManyRanksShareRows) {
  TraceHeat heat(1, 1'000'000);
  for (std::int64_t rank = 0; rank < 1'000'000; rank += 7) ASSERT_NE(heat.row("POSIX", rank), nullptr);
  EXPECT_NE(heat.row("MPIIO", 0), nullptr);
  const std::size_t rows = std::move(heat).rows().size();
  EXPECT_LE(rows, 8193U);
  EXPECT_GT(rows, 8000U);
  EXPECT_EQ(TraceHeat(0, 1).row("POSIX", 0), nullptr);
}

}  // namespace
}  // namespace trikal::analyze
