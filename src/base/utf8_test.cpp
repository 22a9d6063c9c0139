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

TEST(Printable, WhatATerminalWouldObeyIsSpelledOut) {
  EXPECT_EQ(printable("/data/run 1.h5"), "/data/run 1.h5");
  EXPECT_EQ(printable("caf\xc3\xa9 \xe6\x97\xa5 \xf0\x9f\x98\x80"), "caf\xc3\xa9 \xe6\x97\xa5 \xf0\x9f\x98\x80");
  EXPECT_EQ(printable("a\x1b[31mb\x07\x7f"), "a\\x1b[31mb\\x07\\x7f");
  EXPECT_EQ(printable("a\nb\tc\r"), "a\\x0ab\\x09c\\x0d");
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m"),
            "\\x9b31m");  // CSI in one character
  EXPECT_EQ(printable("\xe2\x80\xae.txt"), "\\u{202e}.txt");
  EXPECT_EQ(printable("\xe2\x81\xa6\xef\xbb\xbf\xf3\xa0\x80\x81"), "\\u{2066}\\u{feff}\\u{e0001}");
  EXPECT_EQ(printable("\xff\xc3"), "\\xff\\xc3");
  EXPECT_EQ(printable(std::string_view("\0x", 2)), "\\x00x");
  std::string kept;
  append_printable(kept, "one\ttwo\n\x1b", LineBreaks::kKeep);
  EXPECT_EQ(kept, "one\ttwo\n\\x1b");
}

}  // namespace
}  // namespace trikal
