// What listeners ask records for.

#include "capture/records/record_details.hpp"

#include <gtest/gtest.h>

#include "capture/records/record_pool.hpp"
#include "modules/posix/schema.hpp"
#include "modules/stdio/schema.hpp"
#include "schema/record.hpp"

namespace trikal::capture {
namespace {

struct PosixSlot {
  LiveRecord<modules::posix::kSchema> record;
  Spin lock;
};
struct StdioSlot {
  Record<modules::stdio::kSchema> record;
  Spin lock;
};

class RecordDetailsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    session.arena.forget_parents();
    ASSERT_TRUE(session.arena.begin({nullptr, 1U << 20}));
    session.arena.header()->magic = log::crash::kMagic;
    session.files.begin_again(session.arena);
    file_ = session.files.find_or_add("/data/file");
  }
  File* file_ = nullptr;
};

TEST_F(RecordDetailsTest, AreFoundByTheNamesOfCounters) {
  RecordPool<PosixSlot, modules::posix::kSchema> pool;
  PosixSlot* slot = pool.make(*file_, kPosixSlot);
  ASSERT_NE(slot, nullptr);
  slot->record.at<"POSIX_MAX_BYTE_READ">() = 11;
  slot->record.at<"POSIX_MAX_BYTE_WRITTEN">() = 12;
  slot->record.at<"POSIX_RW_SWITCHES">() = 3;
  const RecordDetails details = details_of<PosixSlot, modules::posix::kSchema, kPosixSlot>(file_->id);
  EXPECT_EQ(details.highest_read, 11);
  EXPECT_EQ(details.highest_written, 12);
  EXPECT_EQ(details.switches, 3);
  EXPECT_EQ(details.flushes, -1) << "POSIX counts none";
}

TEST_F(RecordDetailsTest, WhatLagsBehindIsSettledFirst) {
  RecordPool<StdioSlot, modules::stdio::kSchema> pool;
  StdioSlot* slot = pool.make(*file_, kStdioSlot);
  ASSERT_NE(slot, nullptr);
  const RecordDetails details =
      details_of<StdioSlot, modules::stdio::kSchema, kStdioSlot,
                 [](StdioSlot& late) noexcept { late.record.at<"STDIO_FLUSHES">() = 7; }>(file_->id);
  EXPECT_EQ(details.flushes, 7);
  EXPECT_EQ(details.switches, -1);
}

TEST_F(RecordDetailsTest, OfARecordThatIsNotThereAreUnknown) {
  const RecordDetails details = details_of<StdioSlot, modules::stdio::kSchema, kStdioSlot>(file_->id + 1);
  EXPECT_EQ(details.highest_read, -1);
  EXPECT_EQ(details.flushes, -1);
}

}  // namespace
}  // namespace trikal::capture
