#include "modules/pnetcdf_file/format.hpp"

#include <gtest/gtest.h>

#include "modules/testing/records_test.hpp"

namespace trikal::modules::pnetcdf_file {
namespace {

using testing::Upgrade;

const Upgrade::Fresh kSince3 = {"PNETCDF_FILE_CREATES",
                                "PNETCDF_FILE_OPENS",
                                "PNETCDF_FILE_REDEFS",
                                "PNETCDF_FILE_INDEP_WAITS",
                                "PNETCDF_FILE_COLL_WAITS",
                                "PNETCDF_FILE_SYNCS",
                                "PNETCDF_FILE_BYTES_READ",
                                "PNETCDF_FILE_BYTES_WRITTEN",
                                "PNETCDF_FILE_WAIT_FAILURES",
                                "PNETCDF_FILE_F_WAIT_START_TIMESTAMP",
                                "PNETCDF_FILE_F_WAIT_END_TIMESTAMP",
                                "PNETCDF_FILE_F_META_TIME",
                                "PNETCDF_FILE_F_WAIT_TIME"};
const std::vector<Upgrade::Gone> kOpens = {{"rank", {"PNETCDF_INDEP_OPENS", "PNETCDF_COLL_OPENS"}}};

void expect_fresh_of_3(const Upgrade& record) {
  for (const std::string& name : kSince3) {
    if (name == "PNETCDF_FILE_OPENS") {
      EXPECT_EQ(record.now(name), 3 + 40);
    } else if (name.find("_F_") != std::string::npos) {
      EXPECT_EQ(record.now_real(name), -1.0) << name;
    } else {
      EXPECT_EQ(record.now(name), -1) << name;
    }
  }
}

TEST(PnetcdfFileFormat, Version2AddsUpItsOpens) {
  Upgrade record(kFormat, 2, kSince3, kOpens);
  record.set_old("PNETCDF_INDEP_OPENS", 3);
  record.set_old("PNETCDF_COLL_OPENS", 40);
  ASSERT_TRUE(record.run());
  expect_fresh_of_3(record);
}

TEST(PnetcdfFileFormat, Version1HasOneTimeOfOpenAndOneOfClose) {
  Upgrade::Fresh fresh = kSince3;
  fresh.insert(fresh.end(), {"PNETCDF_FILE_F_CLOSE_START_TIMESTAMP", "PNETCDF_FILE_F_OPEN_END_TIMESTAMP"});
  Upgrade record(kFormat, 1, fresh, kOpens);
  record.set_old("PNETCDF_INDEP_OPENS", 3);
  record.set_old("PNETCDF_COLL_OPENS", 40);
  ASSERT_TRUE(record.run());
  expect_fresh_of_3(record);
  EXPECT_EQ(record.now_real("PNETCDF_FILE_F_CLOSE_START_TIMESTAMP"), -1.0);
  EXPECT_EQ(record.now_real("PNETCDF_FILE_F_OPEN_END_TIMESTAMP"), -1.0);
}

TEST(PnetcdfFileFormat, OffsetsAreThoseOfTheFormat) {
  EXPECT_EQ(testing::offset_of(kSchema, "PNETCDF_FILE_WAIT_FAILURES"), 80U);
  EXPECT_EQ(testing::offset_of(kSchema, "PNETCDF_FILE_F_WAIT_START_TIMESTAMP"), 104U);
  EXPECT_EQ(testing::offset_of(kSchema, "PNETCDF_FILE_F_WAIT_TIME"), 144U);
}

}  // namespace
}  // namespace trikal::modules::pnetcdf_file
