#include "report/sink.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <string>

#include "report/text/wrapped.hpp"

namespace trikal::report {
namespace {

// What a sink for that reader puts into a pipe.
template <class Use>
std::string sent(Audience audience, const Use& use) {
  int ends[2];
  EXPECT_EQ(::pipe(ends), 0);
  {
    DescriptorSink sink(ends[1], audience);
    use(sink);
  }
  ::close(ends[1]);
  std::string text(4096, '\0');
  const ssize_t got = ::read(ends[0], text.data(), text.size());
  ::close(ends[0]);
  text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  return text;
}

TEST(Sink, CleansWhatAPersonReads) {
  const auto write = [](Sink& out) { out.put("/a\x1b[2J\xff\tb\n"); };
  EXPECT_EQ(sent(Audience::kPerson, write), "/a\\x1b[2J\\xff\tb\n");
  EXPECT_EQ(sent(Audience::kProgram, write), "/a\x1b[2J\xff\tb\n");
}

TEST(Sink, ColoursOnlyWhereWanted) {
  const auto write = [](Sink& out) { out.put("\x1b[5mhot", Style::kBad); };
  EXPECT_EQ(sent(Audience::kPerson, write), "\\x1b[5mhot");
  set_colour(Colour::kAlways);
  EXPECT_EQ(sent(Audience::kPerson, write), "\x1b[1;31m\\x1b[5mhot\x1b[0m");
  set_colour(Colour::kAuto);
}

TEST(Wrapped, BreaksAtSpacesByCharacters) {
  const std::string word = "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9 ";  // four characters, eight bytes
  std::string text;
  for (int i = 0; i < 20; ++i) text += word;
  StringSink out;
  put_wrapped(out, text, 2);
  EXPECT_EQ(out.text().find('\n'), 2 + 19 * word.size() - 1);  // 98 columns hold 19 words of five
}

TEST(StringSink, IsEmptyBeforeAnythingIsPut) {
  StringSink out;
  EXPECT_EQ(out.text(), "");
  out.clear();
  out.put("text");
  EXPECT_EQ(out.text(), "text");
}

}  // namespace
}  // namespace trikal::report
