#include "base/utf8.hpp"

#include <gtest/gtest.h>

namespace trikal {
namespace {

using namespace std::string_view_literals;

std::string cleaned(std::string_view text) {
  std::string out = "<";
  append_utf8(out, text);
  return out + ">";
}

TEST(Utf8, LeavesWellFormedTextAlone) {
  for (const auto text : {""sv, "/scratch/out.dat"sv, "a\0b"sv, "\xc3\xa9t\xc3\xa9"sv, "\xe6\x97\xa5\xe6\x9c\xac"sv,
                          "\xf0\x9f\x98\x80 and more than eight"sv, "\xed\x9f\xbf\xee\x80\x80\xf4\x8f\xbf\xbf"sv}) {
    EXPECT_TRUE(is_utf8(text)) << text;
    EXPECT_EQ(cleaned(text), "<" + std::string(text) + ">");
  }
}

// Expected texts are what Python's bytes.decode('utf-8', 'replace') gives for the same bytes.
TEST(Utf8, ReplacesEveryIllFormedPartOnce) {
  constexpr auto kMark = "\xef\xbf\xbd";
  const std::pair<std::string_view, int> cases[] = {
      {"\xff"sv, 1},
      {"\x80\x80"sv, 2},
      {"\xc3"sv, 1},
      {"\xc0\xaf"sv, 2},
      {"\xe6\x97"sv, 1},
      {"\xe0\x80\x80"sv, 3},
      {"\xed\xa0\x80"sv, 3},
      {"\xf0\x9f\x98"sv, 1},
      {"\xf4\x90\x80\x80"sv, 4},
      {"\xf5\x80\x80\x80"sv, 4},
  };
  for (const auto& [text, marks] : cases) {
    EXPECT_FALSE(is_utf8(text));
    std::string expected = "<";
    for (int i = 0; i < marks; ++i) expected += kMark;
    EXPECT_EQ(cleaned(text), expected + ">") << marks;
  }
  EXPECT_EQ(cleaned("abcdefgh\xe6\x97xyz"), std::string("<abcdefgh") + kMark + "xyz>");
  EXPECT_EQ(cleaned("caf\xe9.dat"), std::string("<caf") + kMark + ".dat>");
}

}  // namespace
}  // namespace trikal
