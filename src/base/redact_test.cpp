#include "base/redact.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace trikal {
namespace {

using Words = std::vector<std::string>;

// The arguments after redaction, with `spare` bytes behind them.
Words redacted(const Words& words, const RedactRules& rules, std::size_t spare = 64) {
  std::string text;
  for (const std::string& word : words) text += word + '\0';
  const std::size_t length = text.size();
  text.resize(length + spare);
  const std::size_t now = redact_arguments(text.data(), length, text.size(), rules);
  EXPECT_LE(now, text.size());
  Words out;
  for (std::size_t at = 0; at < now;) {
    out.emplace_back(text.c_str() + at);
    at += out.back().size() + 1;
  }
  return out;
}

TEST(Redact, HidesTheValuesOfWhatSoundsSecret) {
  EXPECT_EQ(redacted({"app", "--password=abc", "DB_PASSWD=x", "--auth-Token", "t0ken", "in.dat"}, {}),
            (Words{"app", "--password=***", "DB_PASSWD=***", "--auth-Token", "***", "in.dat"}));
}

TEST(Redact, LeavesTheRestAlone) {
  const Words words = {"app", "--tokenizer=bpe", "token.txt", "a=b", "-o", "out", "=", "-", ""};
  EXPECT_EQ(redacted(words, {}), words);
}

TEST(Redact, HidesCredentialsInAddresses) {
  EXPECT_EQ(redacted({"git", "https://me:word@host/a@b", "ftp://host/x@y"}, {}),
            (Words{"git", "https://***@host/a@b", "ftp://host/x@y"}));
}

TEST(Redact, PatternsOfTheUsersOwn) {
  const RedactRules all = redact_rules("*");
  EXPECT_EQ(redacted({"app", "x", "-o", "file", "a=b"}, all), (Words{"app", "***", "-o", "***", "a=***"}));
  EXPECT_EQ(redacted({"app", "patient-7", "other"}, redact_rules("none,patient*")), (Words{"app", "***", "other"}));
}

TEST(Redact, TheProgramIsSparedUnlessItIsNot) {
  RedactRules rules = redact_rules("*");
  rules.program = true;
  EXPECT_EQ(redacted({"app", "x"}, rules), (Words{"***", "***"}));
}

TEST(Redact, SwitchedOff) {
  const Words words = {"app", "--password=abc", "https://a:b@c"};
  EXPECT_EQ(redacted(words, redact_rules("none")), words);
}

TEST(Redact, ShortValuesWithoutSpaceStayShort) {
  EXPECT_EQ(redacted({"app", "--secret=x", "y"}, {}, 0), (Words{"app", "--secret=*", "y"}));
  EXPECT_EQ(redacted({"app", "--secret=", "y"}, {}, 0), (Words{"app", "--secret=", "y"}));
}

TEST(Redact, ALastArgumentWithoutItsEnd) {
  std::string text("app\0--secret\0abcdef", 18);  // cut off by whoever read it
  const std::size_t length = redact_arguments(text.data(), text.size(), text.size(), {});
  EXPECT_EQ(text.substr(0, length), std::string("app\0--secret\0***", 16));
}

TEST(Redact, Patterns) {
  EXPECT_TRUE(matches("*", ""));
  EXPECT_TRUE(matches("a*b*c", "aXXbYYc"));
  EXPECT_FALSE(matches("a*b*c", "aXXbYY"));
  EXPECT_TRUE(matches("API?key", "api-KEY"));
  EXPECT_FALSE(matches("", "x"));
}

}  // namespace
}  // namespace trikal
