#include "base/small_regex.hpp"

#include <gtest/gtest.h>
#include <regex.h>

#include <random>
#include <string>

namespace trikal {
namespace {

bool libc_finds(const std::string& expression, const std::string& text) {
  regex_t compiled;
  EXPECT_EQ(regcomp(&compiled, expression.c_str(), REG_EXTENDED | REG_NOSUB), 0) << expression;
  const bool found = regexec(&compiled, text.c_str(), 0, nullptr, 0) == 0;
  regfree(&compiled);
  return found;
}

TEST(SmallRegex, AsLibcWhereBothKnowTheSyntax) {
  const char* expressions[] = {"^/home",  "\\.so$", "a.c",   "ab*c",     "ab+c",   "ab?c",  "[a-c]x",
                               "[^a-c]x", "^$",     "a|b",   "^/tmp|/x", "x.*y.*", "[]a]b", ".",
                               "^.*$",    "[a-]",   "c$|^a", "\\*",      "[.]so",  "a[b]*c"};
  const char* texts[] = {"",     "/home/a", "/x/home", "lib.so", "libxso", "abc",  "ac",       "abbbc", "ax", "dx",
                         "x__y", "]b",      "-",       "*",      "b",      "/tmp", "lib.so.1", "c",     "a"};
  for (const char* expression : expressions) {
    for (const char* text : texts) {
      EXPECT_EQ(regex_finds(expression, text), libc_finds(expression, text)) << expression << " in " << text;
    }
  }
}

TEST(SmallRegex, RandomOnesAsLibc) {
  std::mt19937 random(20261115);
  const auto letters = [&](std::string_view from, std::size_t most) {
    std::string text;
    for (std::size_t n = random() % (most + 1); n > 0; --n) text += from[random() % from.size()];
    return text;
  };
  for (int i = 0; i < 20000; ++i) {
    std::string expression = random() % 4 == 0 ? "^a" : "a";
    expression += letters("ab.", 3);
    if (random() % 3 == 0) expression += "*";
    expression += letters("ab.", 2);
    if (random() % 4 == 0) expression += "$";
    const std::string text = letters("abc", 8);
    EXPECT_EQ(regex_finds(expression, text), libc_finds(expression, text)) << expression << " in " << text;
  }
}

TEST(SmallRegex, EndsSoonOnHostileOnes) {
  EXPECT_FALSE(regex_finds("a*a*a*a*a*a*a*a*a*b", std::string(2000, 'a')));
  (void)regex_finds("[", "[");
  (void)regex_finds("\\", "\\");
  (void)regex_finds("*", "*");
}

}  // namespace
}  // namespace trikal
