#include "modules/posix/format.hpp"

#include <gtest/gtest.h>

#include "modules/testing/records_test.hpp"

namespace trikal::modules::posix {
namespace {

using testing::Upgrade;

const Upgrade::Fresh kSince4 = {"POSIX_FILENOS", "POSIX_DUPS", "POSIX_RENAME_SOURCES", "POSIX_RENAME_TARGETS",
                                "POSIX_RENAMED_FROM"};

Upgrade::Fresh since_3() {
  Upgrade::Fresh fresh = kSince4;
  fresh.insert(fresh.end(), {"POSIX_F_CLOSE_START_TIMESTAMP", "POSIX_F_OPEN_END_TIMESTAMP"});
  return fresh;
}

void expect_fresh_of_4(const Upgrade& record) {
  for (const auto* name : {"POSIX_FILENOS", "POSIX_DUPS", "POSIX_RENAME_SOURCES", "POSIX_RENAME_TARGETS"}) {
    EXPECT_EQ(record.now(name), -1) << name;
  }
  EXPECT_EQ(record.now("POSIX_RENAMED_FROM"), 0);
}

void expect_fresh_of_3(const Upgrade& record) {
  EXPECT_EQ(record.now_real("POSIX_F_CLOSE_START_TIMESTAMP"), -1.0);
  EXPECT_EQ(record.now_real("POSIX_F_OPEN_END_TIMESTAMP"), -1.0);
}

Upgrade version_1() {
  return {kFormat, 1, since_3(), {{"POSIX_MMAPS", {"POSIX_FOPENS", "POSIX_FREADS", "POSIX_FWRITES", "POSIX_FSEEKS"}}}};
}

TEST(PosixFormat, Version3GainsDupsAndRenames) {
  Upgrade record(kFormat, 3, kSince4);
  ASSERT_TRUE(record.run());
  expect_fresh_of_4(record);
}

TEST(PosixFormat, Version2GainsTimesToo) {
  Upgrade record(kFormat, 2, since_3());
  ASSERT_TRUE(record.run());
  expect_fresh_of_4(record);
  expect_fresh_of_3(record);
}

TEST(PosixFormat, Version1LosesItsStreamCounters) {
  for (const std::int64_t fopens : {0, -1}) {
    Upgrade record = version_1();
    record.set_old("POSIX_FOPENS", fopens);
    ASSERT_TRUE(record.run());
    expect_fresh_of_4(record);
    expect_fresh_of_3(record);
  }
}

TEST(PosixFormat, Version1RecordsOfStreamsAreDropped) {
  Upgrade record = version_1();
  record.set_old("POSIX_FOPENS", 1);
  EXPECT_FALSE(record.run());
}

TEST(PosixFormat, OffsetsAreThoseOfTheFormat) {
  EXPECT_EQ(testing::offset_of(kSchema, "POSIX_RENAMED_FROM"), 112U);
  EXPECT_EQ(testing::offset_of(kSchema, "POSIX_SIZE_READ_0_100"), 248U);
  EXPECT_EQ(testing::offset_of(kSchema, "POSIX_STRIDE1_COUNT"), 440U);
  EXPECT_EQ(testing::offset_of(kSchema, "POSIX_ACCESS4_COUNT"), 528U);
  EXPECT_EQ(testing::offset_of(kSchema, "POSIX_F_CLOSE_END_TIMESTAMP"), 624U);
  EXPECT_EQ(testing::offset_of(kSchema, "POSIX_F_VARIANCE_RANK_BYTES"), 696U);
}

}  // namespace
}  // namespace trikal::modules::posix
