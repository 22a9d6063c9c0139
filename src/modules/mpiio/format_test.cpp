#include "modules/mpiio/format.hpp"

#include <gtest/gtest.h>

#include "modules/testing/records_test.hpp"

namespace trikal::modules::mpiio {
namespace {

TEST(MpiioFormat, Versions1And2GainTimesOfCloseAndOpen) {
  for (const std::uint32_t version : {1U, 2U}) {
    testing::Upgrade record(kFormat, version, {"MPIIO_F_CLOSE_START_TIMESTAMP", "MPIIO_F_OPEN_END_TIMESTAMP"});
    ASSERT_TRUE(record.run());
    EXPECT_EQ(record.now_real("MPIIO_F_CLOSE_START_TIMESTAMP"), -1.0);
    EXPECT_EQ(record.now_real("MPIIO_F_OPEN_END_TIMESTAMP"), -1.0);
  }
}

TEST(MpiioFormat, OffsetsAreThoseOfTheFormat) {
  EXPECT_EQ(testing::offset_of(kSchema, "MPIIO_NB_WRITES"), 88U);
  EXPECT_EQ(testing::offset_of(kSchema, "MPIIO_SIZE_READ_AGG_0_100"), 168U);
  EXPECT_EQ(testing::offset_of(kSchema, "MPIIO_SIZE_WRITE_AGG_1G_PLUS"), 320U);
  EXPECT_EQ(testing::offset_of(kSchema, "MPIIO_ACCESS1_COUNT"), 360U);
  EXPECT_EQ(testing::offset_of(kSchema, "MPIIO_F_META_TIME"), 504U);
}

}  // namespace
}  // namespace trikal::modules::mpiio
