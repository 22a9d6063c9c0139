#include "report/json/writer.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace trikal::report {
namespace {

template <class Write>
std::string json(Write write) {
  StringSink out;
  JsonWriter writer(out);
  write(writer);
  return std::string(out.text());
}

TEST(JsonWriter, PutsCommasBetweenAndNowhereElse) {
  EXPECT_EQ(json([](JsonWriter& w) {
              w.open_object();
              w.field("a", 1);
              w.key("b");
              w.open_array();
              w.value(true);
              w.open_object();
              w.close();
              w.open_array();
              w.close();
              w.null();
              w.close();
              w.field("c", "x");
              w.close();
            }),
            R"({"a":1,"b":[true,{},[],null],"c":"x"})");
}

TEST(JsonWriter, LinesComeAfterCommas) {
  EXPECT_EQ(json([](JsonWriter& w) {
              w.open_array();
              w.line();
              w.value(1);
              w.line();
              w.value(2);
              w.close();
            }),
            "[\n1,\n2]");
}

TEST(JsonWriter, NumbersReadBackTheSame) {
  EXPECT_EQ(json([](JsonWriter& w) {
              w.open_array();
              w.value(std::numeric_limits<std::int64_t>::min());
              w.value(std::numeric_limits<std::uint64_t>::max());
              w.value(0.1);
              w.value(1e300);
              w.value(std::numeric_limits<double>::quiet_NaN());
              w.value(-std::numeric_limits<double>::infinity());
              w.close();
            }),
            "[-9223372036854775808,18446744073709551615,0.1,1e+300,null,null]");
}

TEST(JsonWriter, TextIsEscapedAndBytesAreKept) {
  const auto text = [](std::string_view what) { return json([&](JsonWriter& w) { w.value(what); }); };
  EXPECT_EQ(text("a\"b\\c\n\t\r\x01\x7f"), R"("a\"b\\c\n\t\r\u0001\u007f")");
  EXPECT_EQ(text("\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80"), "\"\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80\"");
  EXPECT_EQ(text("\xff\xc3"), R"("\udcff\udcc3")");
  EXPECT_EQ(text("\xc0\xaf"), R"("\udcc0\udcaf")") << "overlong";
  EXPECT_EQ(text("\xed\xa0\x80"), R"("\udced\udca0\udc80")") << "a surrogate";
  EXPECT_EQ(text("\xf4\x90\x80\x80"), R"("\udcf4\udc90\udc80\udc80")") << "beyond the last character";
  EXPECT_EQ(text(std::string_view("\0", 1)), R"("\u0000")");
}

}  // namespace
}  // namespace trikal::report
