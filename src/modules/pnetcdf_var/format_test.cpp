#include "modules/pnetcdf_var/format.hpp"

#include <gtest/gtest.h>

#include "modules/testing/records_test.hpp"

namespace trikal::modules::pnetcdf_var {
namespace {

TEST(PnetcdfVarFormat, OffsetsAreThoseOfTheFormat) {
  EXPECT_EQ(testing::offset_of(kSchema, "file_rec_id"), 16U);
  EXPECT_EQ(testing::offset_of(kSchema, "PNETCDF_VAR_PUT_VARD"), 152U);
  EXPECT_EQ(testing::offset_of(kSchema, "PNETCDF_VAR_GET_VAR"), 160U);
  EXPECT_EQ(testing::offset_of(kSchema, "PNETCDF_VAR_IPUT_VARN"), 256U);
  EXPECT_EQ(testing::offset_of(kSchema, "PNETCDF_VAR_IGET_VAR"), 264U);
  EXPECT_EQ(testing::offset_of(kSchema, "PNETCDF_VAR_BPUT_VARN"), 352U);
  EXPECT_EQ(testing::offset_of(kSchema, "PNETCDF_VAR_ACCESS4_STRIDE_D5"), 880U);
  EXPECT_EQ(testing::offset_of(kSchema, "PNETCDF_VAR_ACCESS4_COUNT"), 912U);
  EXPECT_EQ(testing::offset_of(kSchema, "PNETCDF_VAR_IS_RECORD_VAR"), 944U);
  EXPECT_EQ(testing::offset_of(kSchema, "PNETCDF_VAR_F_VARIANCE_RANK_BYTES"), 1112U);
}

}  // namespace
}  // namespace trikal::modules::pnetcdf_var
