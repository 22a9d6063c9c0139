#include "modules/dfs/format.hpp"

#include <gtest/gtest.h>

#include "modules/testing/records_test.hpp"

namespace trikal::modules::dfs {
namespace {

TEST(DfsFormat, OffsetsAreThoseOfTheFormat) {
  EXPECT_EQ(testing::offset_of(kSchema, "DFS_STATS"), 120U);
  EXPECT_EQ(testing::offset_of(kSchema, "DFS_CHUNK_SIZE"), 392U);
  EXPECT_EQ(testing::offset_of(kSchema, "DFS_F_SLOWEST_RANK_TIME"), 544U);
  EXPECT_EQ(testing::offset_of(kSchema, "pool_uuid"), 552U);
  EXPECT_EQ(testing::offset_of(kSchema, "cont_uuid"), 568U);
}

TEST(DfsFormat, UuidsAreNotSwapped) {
  testing::expect_same_in_both_orders(kForms[0], [](testing::RecordBytes& record) {
    record.words(552 / 8).text("pool's sixteen b", 16).text("container's 16 b", 16);
  });
}

}  // namespace
}  // namespace trikal::modules::dfs
