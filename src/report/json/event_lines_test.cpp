#include "report/json/event_lines.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <vector>

namespace trikal::report {
namespace {

using Lines = EventLinesReader::Lines;
using Damage = EventLinesReader::Damage;

constexpr std::string_view kHead = "{\"type\":\"head\",\"version\":1}\n",
                           kEvent = "{\"type\":\"event\",\"thread\":1}\n", kTotals = "{\"type\":\"totals\"}\n";

class EventLinesTest : public testing::Test {
 protected:
  ~EventLinesTest() override { ::unlink(path_.c_str()); }
  // The types of the lines that were handed out.
  std::string read(std::string_view content, Damage damage = Damage::kEnds, Lines lines = Lines::kAll) {
    std::ofstream(path_, std::ios::binary) << content;
    auto reader = EventLinesReader::open(path_);
    EXPECT_TRUE(reader.ok());
    std::string types;
    status_ = reader->for_each(lines, damage, [&](const FlatObject& line) -> Status {
      types += *line.text("type") + " ";
      return {};
    });
    return types;
  }
  std::string path_ = testing::TempDir() + "event_lines_test_" + std::to_string(::getpid());
  Status status_;
};

std::string joined(std::initializer_list<std::string_view> lines) {
  std::string text;
  for (const std::string_view line : lines) text += line;
  return text;
}

TEST_F(EventLinesTest, HandsOutEveryLineBehindTheHead) {
  EXPECT_EQ(read(joined({kHead, kEvent, kEvent, kTotals})), "event event totals ");
  EXPECT_TRUE(status_.ok());
  EXPECT_EQ(read(joined({kHead, kEvent, kTotals}), Damage::kEnds, Lines::kAllButEvents), "totals ");
  EXPECT_TRUE(status_.ok());
}

TEST_F(EventLinesTest, LinesMayBeLongerThanABuffer) {
  const std::string longest = "{\"type\":\"file\",\"name\":\"" + std::string(700'000, 'x') + "\"}\n";
  EXPECT_EQ(read(joined({kHead, longest, kEvent, longest, kTotals})), "file event file totals ");
  EXPECT_TRUE(status_.ok());
}

TEST_F(EventLinesTest, WhatIsCutIsSaidWithItsOffset) {
  EXPECT_EQ(read(joined({kHead, kEvent, "{\"type\":\"ev"})), "event ");
  EXPECT_EQ(status_.error().code, ErrorCode::kTruncated);
  EXPECT_EQ(status_.error().offset, kHead.size() + kEvent.size());
  EXPECT_EQ(read(joined({kHead, kEvent})), "event ");
  EXPECT_EQ(status_.error().code, ErrorCode::kTruncated);
  EXPECT_EQ(status_.error().offset, kHead.size() + kEvent.size());
}

TEST_F(EventLinesTest, DamageEndsItOrIsSkipped) {
  const std::string content = joined({kHead, kEvent, "{\"type\":!}\n", kEvent, "{}\n", kTotals});
  EXPECT_EQ(read(content), "event ");
  EXPECT_EQ(status_.error().code, ErrorCode::kDamaged);
  EXPECT_EQ(status_.error().offset, kHead.size() + kEvent.size() + 8);
  EXPECT_EQ(read(content, Damage::kSkipped), "event event totals ");
  EXPECT_EQ(status_.error().offset, kHead.size() + kEvent.size() + 8);
}

TEST_F(EventLinesTest, OtherFilesAreRefused) {
  for (const std::string_view content :
       {"", "text", "text\nmore\n", "{\"type\":\"event\"}\n", "{\"type\":\"head\"}\n"}) {
    EXPECT_EQ(read(content, Damage::kSkipped), "");
    EXPECT_EQ(status_.error().code, ErrorCode::kNotALog) << content;
  }
  EXPECT_EQ(read("{\"type\":\"head\",\"version\":2}\n"), "");
  EXPECT_EQ(status_.error().code, ErrorCode::kUnsupported);
  EXPECT_FALSE(EventLinesReader::open("/nonexistent/events").ok());
}

}  // namespace
}  // namespace trikal::report
