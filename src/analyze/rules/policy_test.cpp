#include "analyze/rules/policy.hpp"

#include <gtest/gtest.h>

#include "analyze/rules/one_file.hpp"

namespace trikal::analyze {
namespace {

Policy read(std::string_view text) {
  Policy policy;
  const auto wrong = policy.read(text);
  EXPECT_FALSE(wrong) << wrong->line << ": " << wrong->what;
  return policy;
}

PolicyError complaint(std::string_view text) {
  Policy policy;
  return policy.read(text).value_or(PolicyError{0, "nothing"});
}

OneFile small_writes() {
  Use use;
  use.ranks = 1;
  use.write = {.calls = 1000000, .bytes = 64000000, .sequential = 1000000, .end = 64000000, .seconds = 4};
  use.write.sizes[0] = 1000000;
  return OneFile(use);
}

TEST(Policy, Mutes) {
  const OneFile one = small_writes();
  EXPECT_EQ(one.look("small-writes").size(), 1U);
  EXPECT_TRUE(one.look("small-writes", read("# ours\n[small-writes]\n  mute = yes  # noisy\n")).empty());
  EXPECT_TRUE(one.look("small-writes", read("[all]\nmute = yes\n")).empty());
  // A rule's own word comes before that of all, in any order.
  EXPECT_EQ(one.look("small-writes", read("[small-writes]\nmute=no\n[all]\nmute = yes\r\n")).size(), 1U);
}

TEST(Policy, ChangesLimits) {
  const OneFile one = small_writes();
  EXPECT_TRUE(one.look("small-writes", read("[small-writes]\ncalls = 1000001")).empty());
  EXPECT_EQ(one.look("small-writes", read("[small-writes]\ncalls = 1000000")).size(), 1U);
  EXPECT_EQ(one.look("small-writes", read("[small-reads]\ncalls = 2000000")).size(), 1U);
}

TEST(Policy, DropsWhatIsCheap) {
  const OneFile one = small_writes();
  EXPECT_EQ(one.look("small-writes", read("[all]\nleast-seconds = 3")).size(), 1U);
  EXPECT_TRUE(one.look("small-writes", read("[all]\nleast-seconds = 4")).empty());
  EXPECT_TRUE(one.look("small-writes", read("[small-writes]\nleast-share = 0.5")).empty());
  EXPECT_EQ(one.look("small-writes", read("[all]\nleast-seconds = 9\n[small-writes]\nleast-seconds = 1")).size(), 1U);
}

TEST(Policy, SaysWhichLineIsWrong) {
  EXPECT_EQ(complaint("\n[smal-writes]\n").line, 2U);
  EXPECT_NE(complaint("[smal-writes]").what.find("no rule 'smal-writes'"), std::string::npos);
  EXPECT_NE(complaint("[small-writes]\ncals = 3").what.find("no limit 'cals'; it has"), std::string::npos);
  EXPECT_EQ(complaint("[small-writes]\n\ncalls = many").line, 3U);
  EXPECT_EQ(complaint("[small-writes]\ncalls = -1").line, 2U);
  EXPECT_EQ(complaint("[small-writes]\ncalls = nan").line, 2U);
  EXPECT_EQ(complaint("[small-writes]\ncalls = 1e30").line, 2U);
  EXPECT_EQ(complaint("[small-writes]\nmute = perhaps").line, 2U);
  EXPECT_EQ(complaint("[small-writes]\nmute").line, 2U);
  EXPECT_EQ(complaint("[small-writes").line, 1U);
  EXPECT_EQ(complaint("mute = yes").line, 1U);
  EXPECT_EQ(complaint("[all]\ncalls = 3").line, 2U);
  EXPECT_EQ(complaint("[all]\nmute = yes").line, 0U);
}

TEST(Policy, Numbers) {
  EXPECT_EQ(parse_limit("0.5"), 0.5);
  EXPECT_EQ(parse_limit("64K"), 65536.0);
  EXPECT_EQ(parse_limit("1.5M"), 1.5 * 1024 * 1024);
  EXPECT_FALSE(parse_limit(""));
  EXPECT_FALSE(parse_limit("K"));
  EXPECT_FALSE(parse_limit("4 K"));
  for (const double value : {0.05, 1000.0, 65536.0, 3.0 * 1024 * 1024 * 1024, 1e-6})
    EXPECT_EQ(parse_limit(limit_text(value)), value) << limit_text(value);
  EXPECT_EQ(limit_text(64.0 * 1024 * 1024), "64M");
}

}  // namespace
}  // namespace trikal::analyze
