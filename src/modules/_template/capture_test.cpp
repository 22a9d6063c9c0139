// What calls do to a record. The wrappers are tried by a program: example/.

#include "modules/_template/capture.hpp"

#include <gtest/gtest.h>

#include "capture/events/heard_test.hpp"

namespace trikal::modules::template_module {
namespace {

// The one session there is, in memory of its own for every test.
class TemplateCapture : public ::testing::Test {
 protected:
  void SetUp() override {
    capture::session.arena.forget_parents();
    ASSERT_TRUE(capture::session.arena.begin({nullptr, 1U << 20}));
    capture::session.arena.header()->magic = log::crash::kMagic;
    capture::session.files.begin_again(capture::session.arena);
    file_ = capture::session.files.find_or_add("/data/file");
    record_ = record_of(file_);
    ASSERT_NE(record_, nullptr);
  }

  capture::File* file_ = nullptr;
  TemplateFile* record_ = nullptr;
};

TEST_F(TemplateCapture, CallsAreCounted) {
  opened(*record_, {1, 2});
  has_written(*record_, {2, 3}, 5000);
  has_read(*record_, {3, 5}, 50);
  has_read(*record_, {5, 6}, 0);
  closed(*record_, {6, 7});
  auto& record = record_->record;
  EXPECT_EQ(record.base().id, file_->id);
  EXPECT_EQ(record.at<"TEMPLATE_OPENS">(), 1);
  EXPECT_EQ(record.at<"TEMPLATE_READS">(), 2);
  EXPECT_EQ(record.at<"TEMPLATE_WRITES">(), 1);
  EXPECT_EQ(record.at<"TEMPLATE_BYTES_READ">(), 50);
  EXPECT_EQ(record.at<"TEMPLATE_BYTES_WRITTEN">(), 5000);
  EXPECT_EQ(record.at<"TEMPLATE_SIZE_WRITE_#">(2), 1);
  EXPECT_EQ(record.at<"TEMPLATE_SIZE_READ_#">(0), 2);
  EXPECT_EQ(record.real<"TEMPLATE_F_OPEN_START_TIMESTAMP">(), 1);
  EXPECT_EQ(record.real<"TEMPLATE_F_CLOSE_END_TIMESTAMP">(), 7);
  EXPECT_EQ(record.real<"TEMPLATE_F_READ_TIME">(), 3);
  EXPECT_EQ(record.real<"TEMPLATE_F_WRITE_TIME">(), 1);
  EXPECT_EQ(record.real<"TEMPLATE_F_META_TIME">(), 2);
}

TEST_F(TemplateCapture, CallsAreTold) {
  capture::heard_events().clear();
  capture::every_event_is_heard = true;
  opened(*record_, {1, 2});
  has_written(*record_, {2, 3}, 5000);
  has_read(*record_, {3, 5}, 50);
  closed(*record_, {6, 7});
  capture::every_event_is_heard = false;
  const auto& heard = capture::heard_events();
  ASSERT_EQ(heard.size(), std::size(kOperationWords));
  const std::pair<const char*, std::int64_t> expected[] = {{"open", 0}, {"write", 5000}, {"read", 50}, {"close", 0}};
  for (std::size_t i = 0; i < heard.size(); ++i) {
    EXPECT_EQ(heard[i].file, file_->id);
    EXPECT_EQ(heard[i].length, expected[i].second);
    capture::name_operation(heard[i].operation);
    const auto map = log::crash::MapView::open(capture::session.arena.bytes());
    const log::crash::OperationName name = log::crash::operation_name(*map, heard[i].operation);
    EXPECT_EQ(name.interface, "TEMPLATE");
    EXPECT_EQ(name.word, expected[i].first);
  }
  capture::forget_named_operations();
}

// It counts none of what may be asked for.
TEST_F(TemplateCapture, DetailsAreThoseOfTheRecord) {
  const capture::RecordDetails details =
      capture::ask_details({log::crash::operation_of_module(kSchema.id, 1), file_->id, {1, 2}});
  EXPECT_EQ(details.highest_read, -1);
  EXPECT_EQ(details.switches, -1);
  EXPECT_EQ(details.flushes, -1);
}

TEST_F(TemplateCapture, AFileHasOneRecord) { EXPECT_EQ(record_of(file_), record_); }

TEST_F(TemplateCapture, AHandleIsItsFileUntilItIsClosed) {
  keep(7, file_);
  EXPECT_EQ(file_of(7), file_);
  EXPECT_EQ(take(7), file_);
  EXPECT_EQ(take(7), nullptr);
  EXPECT_EQ(file_of(7), nullptr);
}

TEST_F(TemplateCapture, WhatIsNotWatchedHasNoRecord) {
  EXPECT_EQ(file_at(nullptr), nullptr);
  EXPECT_EQ(record_of(nullptr), nullptr);
}

}  // namespace
}  // namespace trikal::modules::template_module
