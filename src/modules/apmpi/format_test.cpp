#include "modules/apmpi/format.hpp"

#include <gtest/gtest.h>

#include "modules/testing/records_test.hpp"

namespace trikal::modules::apmpi {
namespace {

using testing::RecordBytes;

void put_header(RecordBytes& record) { record.u64(99).i64(0).i64(kMagic).u32(1).u32(0).f64(0.25).f64(0.5); }
void put_perf(RecordBytes& record) { record.u64(99).i64(3).words(396 + 222 + 16 + 2).text("nid00017", 128); }

TEST(ApmpiFormat, TheMagicSpellsTheName) {
  RecordBytes magic;
  magic.i64(static_cast<std::int64_t>(byteswap(static_cast<std::uint64_t>(kMagic))));
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(magic.bytes().data()) + 3, 5), "APMPI");
}

TEST(ApmpiFormat, TheMagicTellsHeaderFromPerf) {
  RecordBytes header, perf;
  put_header(header);
  put_perf(perf);
  EXPECT_EQ(header.bytes().size(), kHeaderBytes);
  EXPECT_EQ(perf.bytes().size(), kPerfBytes);
  testing::expect_size_told(kForms[0], header);
  testing::expect_size_told(kForms[0], perf);
}

TEST(ApmpiFormat, CountersFollowTheOperations) {
  const auto integer = [](std::size_t index) { return kCountersAt + 8 * index; };
  EXPECT_EQ(testing::offset_of(kSchema, "MPI_SEND_CALL_COUNT"), integer(0));
  EXPECT_EQ(testing::offset_of(kSchema, "MPI_SEND_TOTAL_BYTES"), integer(1));
  EXPECT_EQ(testing::offset_of(kSchema, "MPI_SEND_MSG_SIZE_AGG_1M_PLUS"), integer(7));
  EXPECT_EQ(testing::offset_of(kSchema, "MPI_PROBE_CALL_COUNT"), integer(96));
  EXPECT_EQ(testing::offset_of(kSchema, "MPI_GATHERV_MSG_SIZE_AGG_0_256"), integer(124 + 2));
  EXPECT_EQ(testing::offset_of(kSchema, "MPI_FETCH_AND_OP_CALL_COUNT"), integer(380));
  EXPECT_EQ(testing::offset_of(kSchema, "MPI_SEND_TOTAL_TIME"), 3184U);
  EXPECT_EQ(testing::offset_of(kSchema, "MPI_IALLTOALLW_MAX_TIME"), 3184U + 8 * (159 + 2));
  EXPECT_EQ(testing::offset_of(kSchema, "MPI_BARRIER_TOTAL_SYNC_TIME"), 4960U);
  EXPECT_EQ(testing::offset_of(kSchema, "MPI_ALLTOALLW_TOTAL_SYNC_TIME"), 4960U + 8 * 15);
  EXPECT_EQ(testing::offset_of(kSchema, "MPI_TOTAL_COMM_TIME"), 5088U);
  EXPECT_EQ(testing::offset_of(kSchema, "MPI_TOTAL_COMM_SYNC_TIME"), 5096U);
}

TEST(ApmpiFormat, TheHeadersFlagIsHalfAWord) { testing::expect_same_in_both_orders(kForms[0], put_header); }

TEST(ApmpiFormat, NodeNamesAreNotSwapped) { testing::expect_same_in_both_orders(kForms[0], put_perf); }

}  // namespace
}  // namespace trikal::modules::apmpi
