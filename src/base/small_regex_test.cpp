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
  const auto characters = [&](std::string_view from, std::size_t most) {
    std::string text;
    for (std::size_t n = random() % (most + 1); n > 0; --n) text += from[random() % from.size()];
    return text;
  };
  for (int i = 0; i < 20000; ++i) {
    std::string expression = random() % 4 == 0 ? "^a" : "a";
    expression += characters("ab.", 3);
    if (random() % 3 == 0) expression += "*";
    expression += characters("ab.", 2);
    if (random() % 4 == 0) expression += "$";
    const std::string text = characters("abc", 8);
    EXPECT_EQ(regex_finds(expression, text), libc_finds(expression, text)) << expression << " in " << text;
  }
}

TEST(SmallRegex, GroupsCountsAndClassesAsLibc) {
  const char* expressions[] = {"^/(tmp|scratch)/",
                               "\\.(so|py|h5)$",
                               "(ab)+c",
                               "(a|b)*c$",
                               "^(a(b|c)?)*$",
                               "a{2}",
                               "a{2,}b",
                               "^a{1,3}$",
                               "^a{0,2}$",
                               "^a{0}b",
                               "^(ab){2,3}$",
                               "[[:digit:]]+\\.",
                               "[^[:alpha:]]",
                               "a|(b|c)d|e",
                               "()a",
                               "a||b",
                               "^(|a)$",
                               "(^a|b$)",
                               "^(a{1,2}){2}$",
                               "((a)|(b))((c)|(d))",
                               "a)",
                               "^[[:lower:]_]*$",
                               "(a*)*b",
                               "(a*)+$",
                               "^(a|ab)(c|bcd)$",
                               "a{0,}b",
                               "^(ab){0,}c",
                               "(a{0,2}){2}c"};
  const char* texts[] = {"",    "/tmp/x", "/scratch/y", "/home/tmp", "lib.so", "a.h5", "x.so.1", "ababc",    "abcd",
                         "aac", "a",      "aa",         "aaa",       "aaaa",   "abab", "ababab", "abababab", "12.5",
                         "x",   "e",      "bd",         "ad",        "ac",     "a)",   "b",      "A_b",      "c"};
  for (const char* expression : expressions) {
    EXPECT_EQ(regex_problem(expression), "") << expression;
    for (const char* text : texts) {
      EXPECT_EQ(regex_finds(expression, text), libc_finds(expression, text)) << expression << " in " << text;
    }
  }
}

TEST(SmallRegex, RandomGroupsAsLibc) {
  std::mt19937 random(20261118);
  const auto piece = [&](auto& self, int depth) -> std::string {
    static constexpr const char* kRepeats[] = {"", "", "", "*", "+", "?", "{2}", "{1,2}", "{0,1}"};
    std::string text(1, "ab."[random() % 3]);
    if (depth > 0 && random() % 2 == 0) {
      text = "(" + self(self, depth - 1);
      if (random() % 2 == 0) text += "|" + self(self, depth - 1);
      text += ")";
    }
    text += kRepeats[random() % std::size(kRepeats)];
    return random() % 3 == 0 ? text + self(self, depth > 0 ? depth - 1 : 0) : text;
  };
  for (int i = 0; i < 5000; ++i) {
    std::string expression = piece(piece, 2);
    if (random() % 2 == 0) expression = "^" + expression + "$";
    std::string text;
    for (std::size_t n = random() % 7; n > 0; --n) text += "abc"[random() % 3];
    EXPECT_EQ(regex_finds(expression, text), libc_finds(expression, text)) << expression << " in " << text;
  }
}

TEST(SmallRegex, RefusesWhatItDoesNotKnow) {
  for (const char* expression : {"(a", "x{", "{a", "a{,3}", "[a", "*a", "a|+", "\\", "(a)\\1", "\\bx", "\\w+",
                                 "[[:nobody:]]", "a{3,1}", "a{999}"}) {
    EXPECT_NE(regex_problem(expression), "") << expression;
    EXPECT_FALSE(regex_finds(expression, "a")) << expression;
  }
  EXPECT_NE(regex_problem(std::string(300, 'a')), "");
  EXPECT_NE(regex_problem(std::string(40, '(') + "a" + std::string(40, ')')), "");
  EXPECT_EQ(regex_problem(""), "");
}

TEST(SmallRegex, EndsSoonOnHostileOnes) {
  EXPECT_FALSE(regex_finds("(a*)*(a*)*(a*)*b", std::string(2000, 'a')));
  EXPECT_FALSE(regex_finds("((a{1,9}){1,5}){1,2}b", std::string(4000, 'a')));
  EXPECT_FALSE(regex_finds("a*a*a*a*a*a*a*a*a*b", std::string(2000, 'a')));
  (void)regex_finds("[", "[");
  (void)regex_finds("\\", "\\");
  (void)regex_finds("*", "*");
}

}  // namespace
}  // namespace trikal
