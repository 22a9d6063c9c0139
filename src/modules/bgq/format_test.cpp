#include "modules/bgq/format.hpp"

#include <gtest/gtest.h>

#include "modules/testing/records_test.hpp"

namespace trikal::modules::bgq {
namespace {

TEST(BgqFormat, Version1LosesItsAlignment) {
  testing::Upgrade record(kFormat, 1, {}, {{"rank", {"alignment"}}});
  EXPECT_TRUE(record.run());
}

TEST(BgqFormat, OffsetsAreThoseOfTheFormat) {
  EXPECT_EQ(testing::offset_of(kSchema, "BGQ_CSJOBID"), 16U);
  EXPECT_EQ(testing::offset_of(kSchema, "BGQ_INODES"), 48U);
  EXPECT_EQ(testing::offset_of(kSchema, "BGQ_TORUSENABLED"), 96U);
  EXPECT_EQ(testing::offset_of(kSchema, "BGQ_F_TIMESTAMP"), 104U);
}

}  // namespace
}  // namespace trikal::modules::bgq
