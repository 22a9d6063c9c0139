#include "modules/apxc/format.hpp"

#include <gtest/gtest.h>

#include "modules/testing/records_test.hpp"

namespace trikal::modules::apxc {
namespace {

using testing::RecordBytes;

void put_header(RecordBytes& record) { record.u64(99).i64(0).i64(kMagic).words(6); }
void put_perf(RecordBytes& record) { record.u64(99).i64(3).words(4).words(392); }

TEST(ApxcFormat, TheMagicTellsHeaderFromPerf) {
  RecordBytes header, perf;
  put_header(header);
  put_perf(perf);
  EXPECT_EQ(header.bytes().size(), kHeaderBytes);
  EXPECT_EQ(perf.bytes().size(), kPerfBytes);
  testing::expect_size_told(kForms[0], header);
  testing::expect_size_told(kForms[0], perf);
}

TEST(ApxcFormat, CountersAreNamedByTile) {
  EXPECT_EQ(testing::offset_of(kSchema, "AR_RTR_0_0_INQ_PRF_INCOMING_FLIT_VC0"), kCountersAt);
  EXPECT_EQ(testing::offset_of(kSchema, "AR_RTR_0_0_INQ_PRF_ROWBUS_STALL_CNT"), kCountersAt + 8U * 8);
  EXPECT_EQ(testing::offset_of(kSchema, "AR_RTR_0_1_INQ_PRF_INCOMING_FLIT_VC0"), kCountersAt + 8U * 9);
  EXPECT_EQ(testing::offset_of(kSchema, "AR_RTR_4_7_INQ_PRF_ROWBUS_STALL_CNT"), kCountersAt + 8U * 359);
  EXPECT_EQ(testing::offset_of(kSchema, "AR_RTR_PT_5_0_INQ_PRF_INCOMING_FLIT_VC4"), kCountersAt + 8U * 361);
  EXPECT_EQ(testing::offset_of(kSchema, "AR_RTR_PT_5_7_INQ_PRF_RSP_ROWBUS_STALL_CNT"), kCountersAt + 8U * 391);
}

TEST(ApxcFormat, BothKindsAreSwappedWordByWord) {
  testing::expect_same_in_both_orders(kForms[0], put_header);
  testing::expect_same_in_both_orders(kForms[0], put_perf);
}

}  // namespace
}  // namespace trikal::modules::apxc
