#include "modules/null/format.hpp"

#include <gtest/gtest.h>

#include "modules/testing/records_test.hpp"

namespace trikal::modules::null {
namespace {

TEST(NullFormat, OffsetsAreThoseOfTheFormat) {
  EXPECT_EQ(testing::offset_of(kSchema, "NULL_FOOS"), 16U);
  EXPECT_EQ(testing::offset_of(kSchema, "NULL_FOO_MAX_DAT"), 24U);
  EXPECT_EQ(testing::offset_of(kSchema, "NULL_F_FOO_TIMESTAMP"), 32U);
  EXPECT_EQ(testing::offset_of(kSchema, "NULL_F_FOO_MAX_DURATION"), 40U);
}

}  // namespace
}  // namespace trikal::modules::null
