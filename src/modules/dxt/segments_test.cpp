// Both traces: what they share, and the one thing in which they differ.
#include "modules/dxt/segments.hpp"

#include <gtest/gtest.h>

#include "modules/dxt_mpiio/format.hpp"
#include "modules/dxt_posix/format.hpp"
#include "modules/testing/records_test.hpp"

namespace trikal::modules::dxt {
namespace {

using testing::RecordBytes;

RecordBytes head(std::int64_t writes, std::int64_t reads) {
  RecordBytes record;
  record.u64(99).i64(3).i64(0).text("node17", kHostBytes).i64(writes).i64(reads);
  return record;
}

std::vector<Form> forms_of_both() {
  std::vector<Form> forms(std::begin(dxt_posix::kForms), std::end(dxt_posix::kForms));
  forms.insert(forms.end(), std::begin(dxt_mpiio::kForms), std::end(dxt_mpiio::kForms));
  return forms;
}

std::vector<Segment> widened(const Form& form, const RecordBytes& old, std::size_t count) {
  std::vector<Segment> now(count, Segment{7, 7, 7, 7, 7});
  form.widen(old.bytes().data(), count, reinterpret_cast<std::byte*>(now.data()));
  return now;
}

RecordBytes two_old_segments() {
  RecordBytes old;
  return old.i64(4096).i64(100).f64(0.5).f64(0.75).i64(8192).i64(200).f64(1.5).f64(1.75);
}

TEST(DxtFormat, AHeadIsAsLongAsItsFields) { EXPECT_EQ(head(1, 2).bytes().size(), kHeadBytes); }

TEST(DxtFormat, WritesAndReadsFollowTheHead) {
  for (const Form& form : forms_of_both()) {
    const auto tail = form.tail(head(3, 4).bytes().data());
    ASSERT_TRUE(tail.ok());
    EXPECT_EQ(tail->items, 7U);
    EXPECT_EQ(tail->item_bytes, form.widen != nullptr ? 32U : 40U);
  }
}

TEST(DxtFormat, OnlyTheNewestVersionsHaveThreads) {
  EXPECT_EQ(dxt_posix::kFormat.form(2)->widen, nullptr);
  EXPECT_EQ(dxt_mpiio::kFormat.form(3)->widen, nullptr);
  for (const Form* old : {dxt_posix::kFormat.form(1), dxt_mpiio::kFormat.form(1), dxt_mpiio::kFormat.form(2)}) {
    EXPECT_NE(old->widen, nullptr);
  }
}

TEST(DxtFormat, AbsurdCountsAreDamage) {
  for (const Form& form : forms_of_both()) {
    for (const std::int64_t count : testing::kAbsurdCounts) {
      EXPECT_EQ(form.tail(head(count, 0).bytes().data()).error().code, ErrorCode::kDamaged) << count;
      EXPECT_EQ(form.tail(head(0, count).bytes().data()).error().code, ErrorCode::kDamaged) << count;
    }
    EXPECT_EQ(form.tail(head(kMostItems, 1).bytes().data()).error().code, ErrorCode::kDamaged);
  }
}

TEST(DxtFormat, OldSegmentsGetNoThread) {
  for (const Form* form : {dxt_posix::kFormat.form(1), dxt_mpiio::kFormat.form(2)}) {
    const auto now = widened(*form, two_old_segments(), 2);
    EXPECT_EQ(now[0].offset, 4096);
    EXPECT_EQ(now[0].length, 100);
    EXPECT_EQ(now[0].start, 0.5);
    EXPECT_EQ(now[0].end, 0.75);
    EXPECT_EQ(now[0].thread, 0U);
    EXPECT_EQ(now[1].offset, 8192);
    EXPECT_EQ(now[1].end, 1.75);
    EXPECT_EQ(now[1].thread, 0U);
  }
}

TEST(DxtFormat, TheFirstMpiioTracesHaveNoOffsets) {
  const auto now = widened(*dxt_mpiio::kFormat.form(1), two_old_segments(), 2);
  EXPECT_EQ(now[0].offset, -1);
  EXPECT_EQ(now[1].offset, -1);
  EXPECT_EQ(now[1].length, 200);
  EXPECT_EQ(now[1].start, 1.5);
  EXPECT_EQ(now[1].thread, 0U);
}

TEST(DxtFormat, HostNamesAreNotSwapped) {
  for (const Form& form : forms_of_both()) {
    testing::expect_same_in_both_orders(form, [&](RecordBytes& record) {
      record.u64(99).i64(3).i64(-1).text("node17.example", kHostBytes).i64(1).i64(2);
      for (int i = 0; i < 3; ++i) {
        record.i64(4096 * i).i64(100).f64(0.5 * i).f64(i);
        if (form.widen == nullptr) record.u64(0x7f00'1234'5678);
      }
    });
  }
}

}  // namespace
}  // namespace trikal::modules::dxt
