#include "report/text/differences.hpp"

#include <gtest/gtest.h>

namespace trikal::report {
namespace {

using analyze::Value;

Value i(std::int64_t value) { return value; }

TEST(ChangeText, SaysWhatHelps) {
  EXPECT_EQ(change_text(i(100), i(125)), "+25.0 %");
  EXPECT_EQ(change_text(i(100), i(50)), "-50.0 %");
  EXPECT_EQ(change_text(i(2), i(25)), "x12.5");
  EXPECT_EQ(change_text(i(0), i(5)), "from 0");
  EXPECT_EQ(change_text(i(5), i(0)), "-100.0 %");
  EXPECT_EQ(change_text(i(-1), i(5)), "") << "-1 is not a quantity";
  EXPECT_EQ(change_text(std::string("a"), std::string("b")), "");
  EXPECT_EQ(change_text(Value(), i(5)), "");
}

TEST(Printable, LeavesNothingThatDrivesATerminal) {
  EXPECT_EQ(printable("/a b/\xc3\xa9"), "/a b/\xc3\xa9");
  EXPECT_EQ(printable("x\x1b[31m\n\x7f"), "x\\x1b[31m\\x0a\\x7f");
}

}  // namespace
}  // namespace trikal::report
