#include "modules/heatmap/format.hpp"

#include <gtest/gtest.h>

#include "modules/testing/records_test.hpp"

namespace trikal::modules::heatmap {
namespace {

using testing::RecordBytes;

// Writes are numbered from 1, reads from 101; the two words a process leaves behind are not zero.
RecordBytes heatmap_of(std::int64_t bins, double width = 0.1, std::uint64_t stale = 0xffff'0000) {
  RecordBytes record;
  record.u64(99).i64(3).f64(width).i64(bins).u64(stale).u64(stale);
  return record.words(static_cast<std::size_t>(bins), 1).words(static_cast<std::size_t>(bins), 101);
}

class HeatmapFormat : public ::testing::Test {
 protected:
  std::vector<std::byte> settled(const RecordBytes& record) {
    std::vector<std::byte> bytes = record.bytes();
    EXPECT_TRUE(settle(bytes, state_).ok());
    return bytes;
  }

  FormState state_;
};

TEST_F(HeatmapFormat, WhatAProcessLeftBehindIsForgotten) {
  EXPECT_EQ(settled(heatmap_of(3)), heatmap_of(3, 0.1, 0).bytes());
}

TEST_F(HeatmapFormat, ABinTooManyIsCutOff) {
  (void)settled(heatmap_of(3));
  EXPECT_EQ(settled(heatmap_of(4)), heatmap_of(3, 0.1, 0).bytes());
}

TEST_F(HeatmapFormat, AMissingBinIsEmpty) {
  (void)settled(heatmap_of(3));
  RecordBytes mended;
  mended.u64(99).i64(3).f64(0.1).i64(3).u64(0).u64(0).i64(1).i64(2).i64(0).i64(101).i64(102).i64(0);
  EXPECT_EQ(settled(heatmap_of(2)), mended.bytes());
}

TEST_F(HeatmapFormat, EveryRecordIsMeasuredByTheFirst) {
  (void)settled(heatmap_of(3));
  EXPECT_EQ(settled(heatmap_of(4)).size(), heatmap_of(3).bytes().size());
  EXPECT_EQ(settled(heatmap_of(2)).size(), heatmap_of(3).bytes().size());
  EXPECT_EQ(settled(heatmap_of(3)).size(), heatmap_of(3).bytes().size());
}

TEST_F(HeatmapFormat, OtherDifferencesAreNoKnownBug) {
  (void)settled(heatmap_of(3));
  EXPECT_EQ(settled(heatmap_of(5)), heatmap_of(5, 0.1, 0).bytes());
  EXPECT_EQ(settled(heatmap_of(1)), heatmap_of(1, 0.1, 0).bytes());
  EXPECT_EQ(settled(heatmap_of(4, 0.2)), heatmap_of(4, 0.2, 0).bytes());
  EXPECT_EQ(settled(heatmap_of(2, 0.2)), heatmap_of(2, 0.2, 0).bytes());
}

TEST_F(HeatmapFormat, EmptyOnesAreBorne) {
  (void)settled(heatmap_of(0));
  EXPECT_EQ(settled(heatmap_of(1)), heatmap_of(0, 0.1, 0).bytes());

  state_ = {};
  (void)settled(heatmap_of(1));
  const auto mended = settled(heatmap_of(0));
  EXPECT_EQ(mended.size(), kHeadBytes + 16U);
  EXPECT_EQ(load<std::int64_t>(mended.data() + kBinsAt), 1);
}

TEST_F(HeatmapFormat, TailsAreWritesAndReads) {
  EXPECT_EQ(tail(heatmap_of(5).bytes().data())->items, 10U);
  for (const std::int64_t bins : testing::kAbsurdCounts) {
    RecordBytes record;
    record.u64(99).i64(3).f64(0.1).i64(bins).u64(0).u64(0);
    EXPECT_EQ(tail(record.bytes().data()).error().code, ErrorCode::kDamaged) << bins;
  }
}

TEST_F(HeatmapFormat, IsSwappedWordByWord) {
  testing::expect_same_in_both_orders(
      kForms[0], [](RecordBytes& record) { record.u64(99).i64(3).f64(0.1).i64(2).u64(5).u64(6).words(4); });
}

}  // namespace
}  // namespace trikal::modules::heatmap
