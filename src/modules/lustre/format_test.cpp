#include "modules/lustre/format.hpp"

#include <gtest/gtest.h>

#include "modules/testing/records_test.hpp"

namespace trikal::modules::lustre {
namespace {

using testing::RecordBytes;

// Seven counters and a pool's name; the first two are stripe size and stripe count.
void put_component(RecordBytes& record, std::int64_t stripe_size, std::int64_t stripe_count, std::int64_t end) {
  record.i64(stripe_size).i64(stripe_count).i64(kPatternRaid0).i64(0x10).i64(0).i64(end).i64(1).text("pool", 16);
}

struct Part {
  std::int64_t size, count;
};

RecordBytes record_of(const std::vector<Part>& parts, std::int64_t targets) {
  RecordBytes record;
  record.u64(99).i64(-1).i64(static_cast<std::int64_t>(parts.size())).i64(targets);
  for (const Part& part : parts) put_component(record, part.size, part.count, -1);
  return record.words(static_cast<std::size_t>(targets), 500), record;
}

std::vector<std::byte> settled(const Form& form, const RecordBytes& record) {
  std::vector<std::byte> bytes = record.bytes();
  FormState state;
  EXPECT_TRUE(form.settle(bytes, state).ok());
  const auto comps = load<std::int64_t>(bytes.data() + kNumCompsAt);
  const auto stripes = load<std::int64_t>(bytes.data() + kNumStripesAt);
  EXPECT_EQ(bytes.size(), kHeadBytes + comps * kComponentBytes + 8 * stripes);
  return bytes;
}

const Form& kV1 = kForms[0];
const Form& kV2 = kForms[1];

TEST(LustreFormat, AWellFormedRecordStaysAsItIs) {
  const RecordBytes record = record_of({{1 << 20, 2}, {4 << 20, 3}}, 5);
  EXPECT_EQ(settled(kV2, record), record.bytes());
}

TEST(LustreFormat, UnusedComponentsAreCutOffAndTheTargetsMoveUp) {
  const RecordBytes record = record_of({{1 << 20, 2}, {4 << 20, 1}, {-1, 7}, {1 << 20, 9}}, 3);
  EXPECT_EQ(settled(kV2, record), record_of({{1 << 20, 2}, {4 << 20, 1}}, 3).bytes());
}

TEST(LustreFormat, TargetsOfComponentsCutOffGoWithThem) {
  const RecordBytes record = record_of({{1 << 20, 2}, {-1, 4}}, 6);
  EXPECT_EQ(settled(kV2, record), record_of({{1 << 20, 2}}, 2).bytes());
}

TEST(LustreFormat, ARecordMayEndUpEmpty) {
  EXPECT_EQ(settled(kV2, record_of({{-1, 2}}, 2)), record_of({}, 0).bytes());
  EXPECT_EQ(settled(kV2, record_of({}, 0)), record_of({}, 0).bytes());
  EXPECT_EQ(settled(kV2, record_of({}, 3)), record_of({}, 0).bytes());
}

TEST(LustreFormat, StripesThatTheRecordDoesNotHoldAreDamage) {
  for (const std::int64_t count : {std::int64_t{3}, std::int64_t{-2}, std::numeric_limits<std::int64_t>::max(),
                                   std::numeric_limits<std::int64_t>::min()}) {
    std::vector<std::byte> bytes = record_of({{1 << 20, 1}, {1 << 20, count}}, 3).bytes();
    FormState state;
    EXPECT_EQ(kV2.settle(bytes, state).error().code, ErrorCode::kDamaged) << count;
  }
}

TEST(LustreFormat, AnUnknownStripeCountOwnsNoTargets) {
  const auto bytes = settled(kV2, record_of({{1 << 20, -1}, {1 << 20, 2}}, 4));
  EXPECT_EQ(load<std::int64_t>(bytes.data() + kNumStripesAt), 2);
  EXPECT_EQ(load<std::int64_t>(bytes.data() + kNumCompsAt), 2);
}

TEST(LustreFormat, Version1BecomesOneComponent) {
  RecordBytes old;
  old.u64(99).i64(3).i64(56).i64(1).i64(0).i64(1 << 20).i64(2).i64(501).i64(502);
  const auto bytes = settled(kV1, old);

  RecordBytes now;
  now.u64(99).i64(3).i64(1).i64(2);
  now.i64(1 << 20).i64(2).i64(-1).i64(-1).i64(0).i64(-1).i64(-1).text("", 16);
  now.i64(501).i64(502);
  EXPECT_EQ(bytes, now.bytes());
}

TEST(LustreFormat, Version1WithoutStripes) {
  RecordBytes old;
  old.u64(99).i64(3).i64(56).i64(1).i64(0).i64(1 << 20).i64(0);
  const auto bytes = settled(kV1, old);
  EXPECT_EQ(load<std::int64_t>(bytes.data() + kNumCompsAt), 1);
  EXPECT_EQ(load<std::int64_t>(bytes.data() + kNumStripesAt), 0);
}

TEST(LustreFormat, TailsCountWords) {
  EXPECT_EQ(tail(record_of({{1, 1}, {1, 2}}, 3).bytes().data())->items, 2U * 9 + 3);
  RecordBytes v1;
  v1.words(6).i64(17);
  EXPECT_EQ(tail_v1(v1.bytes().data())->items, 17U);
}

TEST(LustreFormat, AbsurdCountsAreDamage) {
  for (const std::int64_t count : testing::kAbsurdCounts) {
    RecordBytes comps, stripes, width;
    comps.words(2).i64(count).i64(0);
    stripes.words(2).i64(0).i64(count);
    width.words(6).i64(count);
    EXPECT_EQ(tail(comps.bytes().data()).error().code, ErrorCode::kDamaged) << count;
    EXPECT_EQ(tail(stripes.bytes().data()).error().code, ErrorCode::kDamaged) << count;
    EXPECT_EQ(tail_v1(width.bytes().data()).error().code, ErrorCode::kDamaged) << count;
  }
}

// The largest counts that pass must not wrap around: the reader refuses them by their size.
TEST(LustreFormat, TheLargestBelievableCountsDoNotWrap) {
  RecordBytes record;
  record.words(2).i64(kMostItems).i64(kMostItems);
  EXPECT_EQ(tail(record.bytes().data())->items, 10U * static_cast<std::uint64_t>(kMostItems));
}

TEST(LustreFormat, PoolNamesAreNotSwapped) {
  testing::expect_same_in_both_orders(kV2, [](RecordBytes& record) {
    record.u64(99).i64(-1).i64(2).i64(3);
    put_component(record, 1 << 20, 1, 1 << 30);
    put_component(record, 4 << 20, 2, -1);
    record.words(3, 500);
  });
}

TEST(LustreFormat, Version1IsSwappedWordByWord) {
  testing::expect_same_in_both_orders(kV1, [](RecordBytes& record) { record.words(6).i64(2).words(2); });
}

}  // namespace
}  // namespace trikal::modules::lustre
