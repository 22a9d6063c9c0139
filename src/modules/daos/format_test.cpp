#include "modules/daos/format.hpp"

#include <gtest/gtest.h>

#include "modules/testing/records_test.hpp"

namespace trikal::modules::daos {
namespace {

TEST(DaosFormat, OffsetsAreThoseOfTheFormat) {
  EXPECT_EQ(testing::offset_of(kSchema, "DAOS_KV_OPENS"), 152U);
  EXPECT_EQ(testing::offset_of(kSchema, "DAOS_NB_OPS"), 200U);
  EXPECT_EQ(testing::offset_of(kSchema, "DAOS_ARRAY_CHUNK_SIZE"), 488U);
  EXPECT_EQ(testing::offset_of(kSchema, "DAOS_F_SLOWEST_RANK_TIME"), 640U);
  EXPECT_EQ(testing::offset_of(kSchema, "oid_hi"), 680U);
  EXPECT_EQ(testing::offset_of(kSchema, "oid_lo"), 688U);
}

TEST(DaosFormat, UuidsAreNotSwappedButTheObjectsIdIs) {
  testing::expect_same_in_both_orders(kForms[0], [](testing::RecordBytes& record) {
    record.words(648 / 8).text("pool's sixteen b", 16).text("container's 16 b", 16).u64(7).u64(8);
  });
}

}  // namespace
}  // namespace trikal::modules::daos
