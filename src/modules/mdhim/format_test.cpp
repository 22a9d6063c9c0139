#include "modules/mdhim/format.hpp"

#include <gtest/gtest.h>

#include "modules/testing/records_test.hpp"

namespace trikal::modules::mdhim {
namespace {

testing::RecordBytes head(std::int64_t servers) {
  testing::RecordBytes record;
  record.words(6).i64(servers).words(4);
  return record;
}

TEST(MdhimFormat, ThereIsACountForEachServerAndAlwaysOne) {
  EXPECT_EQ(tail(head(5).bytes().data())->items, 5U);
  EXPECT_EQ(tail(head(1).bytes().data())->items, 1U);
  EXPECT_EQ(tail(head(0).bytes().data())->items, 1U);
  EXPECT_EQ(tail(head(-1).bytes().data())->items, 1U);
}

TEST(MdhimFormat, AbsurdlyManyServersAreDamage) {
  for (const std::int64_t servers : testing::kAbsurdCounts) {
    if (servers < 0) continue;
    EXPECT_EQ(tail(head(servers).bytes().data()).error().code, ErrorCode::kDamaged) << servers;
  }
}

TEST(MdhimFormat, IsSwappedWordByWord) {
  testing::expect_same_in_both_orders(kForms[0],
                                      [](testing::RecordBytes& record) { record.words(6).i64(3).words(4).words(3); });
}

}  // namespace
}  // namespace trikal::modules::mdhim
