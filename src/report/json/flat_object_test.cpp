#include "report/json/flat_object.hpp"

#include <gtest/gtest.h>

#include "report/json/writer.hpp"

namespace trikal::report {
namespace {

TEST(FlatObject, HasNumbersAndTexts) {
  FlatObject object;
  ASSERT_TRUE(object.parse(
      R"({"type":"event", "n":-12, "id":"18446744073709551615","none":null,"list":[1,{"a":"]"}],"x":1.5})"));
  EXPECT_TRUE(object.is("type", "event"));
  EXPECT_EQ(object.number("n"), -12);
  EXPECT_EQ(object.number_in_text("id"), 18446744073709551615U);
  EXPECT_EQ(object.text("id"), "18446744073709551615");
  EXPECT_FALSE(object.number("id"));
  EXPECT_FALSE(object.number("none"));
  EXPECT_FALSE(object.number("x"));  // not whole
  EXPECT_FALSE(object.number("list"));
  EXPECT_FALSE(object.text("n"));
  EXPECT_FALSE(object.number("other"));
}

TEST(FlatObject, TextsAreWhatTheWriterWasGiven) {
  for (const std::string_view text :
       {"plain", "q\"b\\s/", "\n\r\t\b\f\x01\x7f", "gr\xc3\xbc\xc3\x9f \xf0\x9f\x98\x80", "\xff\xfe\x80 \xc3", ""}) {
    StringSink out;
    JsonWriter json(out);
    json.open_object(), json.field("name", text), json.close();
    FlatObject object;
    ASSERT_TRUE(object.parse(out.text()));
    EXPECT_EQ(object.text("name"), text);
  }
  FlatObject object;
  ASSERT_TRUE(object.parse(R"({"a":"\ud83d\ude00\u00fc\u20ac\/"})"));
  EXPECT_EQ(object.text("a"), "\xf0\x9f\x98\x80\xc3\xbc\xe2\x82\xac/");
}

TEST(FlatObject, RefusesWhatIsNoObjectAndSaysWhere) {
  FlatObject object;
  const auto fails_at = [&](std::string_view line, std::uint64_t offset) {
    const Status parsed = object.parse(line);
    EXPECT_FALSE(parsed.ok()) << line;
    EXPECT_EQ(parsed.error().code, ErrorCode::kDamaged);
    EXPECT_EQ(parsed.error().offset, offset) << line;
    EXPECT_FALSE(object.text("a"));
  };
  fails_at("", 0);
  fails_at("[1]", 0);
  fails_at(R"({"a":"b")", 8);
  fails_at(R"({"a":"b"}x)", 9);
  fails_at(R"({"a":"b)", 7);
  fails_at(R"({"a":"b\)", 8);
  fails_at("{\"a\":\"b\x01\"}", 7);
  fails_at(R"({"a":})", 5);
  fails_at(R"({"a":nul})", 5);
  fails_at(R"({"a":[1,{"b":2})", 15);
  fails_at(R"({"a":1,})", 7);
  fails_at(R"({a:1})", 1);
}

TEST(FlatObject, AHalfEscapeEndsTheText) {
  FlatObject object;
  ASSERT_TRUE(object.parse(R"({"a":"x\u12","b":"\uzzzz"})"));
  EXPECT_TRUE(object.text("a")->starts_with("x"));
  EXPECT_TRUE(object.text("b"));
}

}  // namespace
}  // namespace trikal::report
