#include "modules/h5d/format.hpp"

#include <gtest/gtest.h>

#include "modules/testing/records_test.hpp"

namespace trikal::modules::h5d {
namespace {

TEST(H5dFormat, Version1GainsTheFile) {
  testing::Upgrade record(kFormat, 1, {"file_rec_id"});
  ASSERT_TRUE(record.run());
  EXPECT_EQ(record.now("file_rec_id"), 0);
}

TEST(H5dFormat, OffsetsAreThoseOfTheFormat) {
  EXPECT_EQ(testing::offset_of(kSchema, "file_rec_id"), 16U);
  EXPECT_EQ(testing::offset_of(kSchema, "H5D_OPENS"), 24U);
  EXPECT_EQ(testing::offset_of(kSchema, "H5D_ACCESS1_LENGTH_D1"), 288U);
  EXPECT_EQ(testing::offset_of(kSchema, "H5D_ACCESS4_STRIDE_D5"), 624U);
  EXPECT_EQ(testing::offset_of(kSchema, "H5D_ACCESS1_COUNT"), 632U);
  EXPECT_EQ(testing::offset_of(kSchema, "H5D_CHUNK_SIZE_D5"), 720U);
  EXPECT_EQ(testing::offset_of(kSchema, "H5D_F_VARIANCE_RANK_BYTES"), 904U);
}

}  // namespace
}  // namespace trikal::modules::h5d
