#include "analyze/dataset/trace_lanes.hpp"

#include <gtest/gtest.h>

namespace trikal::analyze {
namespace {

TEST(TraceLane, EachCallIsItsOwnWhileThereIsSpace) {
  TraceLane lane;
  for (int i = 0; i < 10; ++i) lane.add({1.0 * i, i + 0.5, 1, 100, 4096 * i}, 10);
  ASSERT_EQ(lane.spans.size(), 10U);
  EXPECT_EQ(lane.spans[3].offset, 4096 * 3);
  EXPECT_EQ(lane.calls, 10);
  EXPECT_DOUBLE_EQ(lane.seconds, 5);
}

// Bursts of calls with pauses between them: it is calls of a burst that become one.
TEST(TraceLane, CallsThatFollowEachOtherCloselyBecomeOne) {
  TraceLane lane;
  std::int64_t calls = 0;
  for (int burst = 0; burst < 5; ++burst)
    for (int i = 0; i < 1000; ++i, ++calls) lane.add({burst + 1e-4 * i, burst + 1e-4 * i + 1e-5, 1, 10, calls}, 64);
  lane.shorten(5);
  ASSERT_EQ(lane.spans.size(), 5U);
  for (int burst = 0; burst < 5; ++burst) {
    const TraceSpan& span = lane.spans[static_cast<std::size_t>(burst)];
    EXPECT_NEAR(span.begin, burst, 1e-9);
    EXPECT_NEAR(span.end, burst + 0.09991, 1e-9);
    EXPECT_EQ(span.calls, 1000);
    EXPECT_EQ(span.bytes, 10000);
    EXPECT_EQ(span.offset, 1000 * burst);
  }
}

TEST(TraceLane, NothingIsLostWhateverTheTimesAre) {
  TraceLane lane;
  for (int i = 0; i < 5000; ++i) {
    const double begin = (i * 7919) % 1000;
    lane.add({begin, begin + i % 17, 1, INT64_MAX / 1000, 0}, 50);
    ASSERT_LE(lane.spans.size(), 50U);
  }
  lane.shorten(20);
  EXPECT_LE(lane.spans.size(), 20U);
  std::int64_t calls = 0;
  for (const TraceSpan& span : lane.spans) {
    calls += span.calls;
    EXPECT_LE(span.begin, span.end);
    EXPECT_GE(span.bytes, 0);
  }
  EXPECT_EQ(calls, 5000);
}

}  // namespace
}  // namespace trikal::analyze
