#include "modules/h5f/format.hpp"

#include <gtest/gtest.h>

#include "modules/testing/records_test.hpp"

namespace trikal::modules::h5f {
namespace {

using testing::Upgrade;

void expect_fresh_of_3(const Upgrade& record) {
  EXPECT_EQ(record.now("H5F_FLUSHES"), -1);
  EXPECT_EQ(record.now("H5F_USE_MPIIO"), -1);
  EXPECT_EQ(record.now_real("H5F_F_META_TIME"), -1.0);
}

TEST(H5fFormat, Version2GainsFlushesAndMetaTime) {
  Upgrade record(kFormat, 2, {"H5F_FLUSHES", "H5F_USE_MPIIO", "H5F_F_META_TIME"});
  ASSERT_TRUE(record.run());
  expect_fresh_of_3(record);
}

// What version 1 calls the time of close is when the last one ended.
TEST(H5fFormat, Version1HasOneTimeOfOpenAndOneOfClose) {
  Upgrade record(
      kFormat, 1,
      {"H5F_FLUSHES", "H5F_USE_MPIIO", "H5F_F_META_TIME", "H5F_F_CLOSE_START_TIMESTAMP", "H5F_F_OPEN_END_TIMESTAMP"});
  ASSERT_TRUE(record.run());
  expect_fresh_of_3(record);
  EXPECT_EQ(record.now_real("H5F_F_CLOSE_START_TIMESTAMP"), -1.0);
  EXPECT_EQ(record.now_real("H5F_F_OPEN_END_TIMESTAMP"), -1.0);
}

}  // namespace
}  // namespace trikal::modules::h5f
