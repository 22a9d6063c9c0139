#include "modules/stdio/format.hpp"

#include <gtest/gtest.h>

#include "modules/testing/records_test.hpp"

namespace trikal::modules::stdio {
namespace {

TEST(StdioFormat, Version1GainsFdopens) {
  testing::Upgrade record(kFormat, 1, {"STDIO_FDOPENS"});
  ASSERT_TRUE(record.run());
  EXPECT_EQ(record.now("STDIO_FDOPENS"), -1);
}

TEST(StdioFormat, OffsetsAreThoseOfTheFormat) {
  EXPECT_EQ(testing::offset_of(kSchema, "STDIO_BYTES_WRITTEN"), 64U);
  EXPECT_EQ(testing::offset_of(kSchema, "STDIO_SLOWEST_RANK_BYTES"), 120U);
  EXPECT_EQ(testing::offset_of(kSchema, "STDIO_F_META_TIME"), 128U);
  EXPECT_EQ(testing::offset_of(kSchema, "STDIO_F_CLOSE_START_TIMESTAMP"), 160U);
  EXPECT_EQ(testing::offset_of(kSchema, "STDIO_F_VARIANCE_RANK_BYTES"), 240U);
}

}  // namespace
}  // namespace trikal::modules::stdio
