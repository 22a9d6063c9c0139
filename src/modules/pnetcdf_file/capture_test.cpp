// What calls do to a record. The wrappers are tried by programs: tests/pnetcdf.

#include "modules/pnetcdf_file/capture.hpp"

#include <gtest/gtest.h>

namespace trikal::modules::pnetcdf_file {
namespace {

class PnetcdfFileCapture : public ::testing::Test {
 protected:
  void SetUp() override {
    capture::session.arena.forget_parents();
    ASSERT_TRUE(capture::session.arena.begin({nullptr, 1U << 20}));
    capture::session.arena.header()->magic = log::crash::kMagic;
    capture::session.files.begin_again(capture::session.arena);
    file_ = capture::session.files.find_or_add("/data/run.nc");
    record_ = record_of(file_);
    ASSERT_NE(record_, nullptr);
  }

  capture::File* file_ = nullptr;
  PnetcdfFile* record_ = nullptr;
};

TEST_F(PnetcdfFileCapture, CallsAreCounted) {
  opened(*record_, {1, 2}, true);
  defined(*record_, {2, 4});
  redefining(*record_, {4, 5});
  waited(*record_, {5, 7}, true, true);
  waited(*record_, {7, 8}, false, true);
  waited(*record_, {8, 9}, true, false);
  synced(*record_, {9, 10});
  closed(*record_, {10, 11}, {100, 200});
  auto& record = record_->record;
  EXPECT_EQ(record.at<"PNETCDF_FILE_CREATES">(), 1);
  EXPECT_EQ(record.at<"PNETCDF_FILE_OPENS">(), 0);
  EXPECT_EQ(record.at<"PNETCDF_FILE_REDEFS">(), 1);
  EXPECT_EQ(record.at<"PNETCDF_FILE_COLL_WAITS">(), 1);
  EXPECT_EQ(record.at<"PNETCDF_FILE_INDEP_WAITS">(), 1);
  EXPECT_EQ(record.at<"PNETCDF_FILE_WAIT_FAILURES">(), 1);
  EXPECT_EQ(record.at<"PNETCDF_FILE_SYNCS">(), 1);
  EXPECT_EQ(record.at<"PNETCDF_FILE_BYTES_READ">(), 100);
  EXPECT_EQ(record.at<"PNETCDF_FILE_BYTES_WRITTEN">(), 200);
  EXPECT_EQ(record.real<"PNETCDF_FILE_F_WAIT_TIME">(), 4);
  EXPECT_EQ(record.real<"PNETCDF_FILE_F_META_TIME">(), 6);
  EXPECT_EQ(record.real<"PNETCDF_FILE_F_OPEN_END_TIMESTAMP">(), 2);
  EXPECT_EQ(record.real<"PNETCDF_FILE_F_CLOSE_START_TIMESTAMP">(), 10);
}

TEST_F(PnetcdfFileCapture, BytesThatAreUnknownOnceStayUnknown) {
  closed(*record_, {1, 2}, {100, 200});
  closed(*record_, {2, 3}, {-1, 200});
  closed(*record_, {3, 4}, {100, 200});
  EXPECT_EQ(record_->record.at<"PNETCDF_FILE_BYTES_READ">(), -1);
  EXPECT_EQ(record_->record.at<"PNETCDF_FILE_BYTES_WRITTEN">(), 600);
}

TEST_F(PnetcdfFileCapture, TheFirstNumberIsZero) {
  keep(0, file_);
  EXPECT_EQ(file_of(0), file_);
  EXPECT_EQ(take(0), file_);
  EXPECT_EQ(file_of(0), nullptr);
}

}  // namespace
}  // namespace trikal::modules::pnetcdf_file
