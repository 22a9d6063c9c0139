#include <gtest/gtest.h>

#include "analyze/dataset/history.hpp"
#include "analyze/rules/one_file.hpp"

namespace trikal::analyze {
namespace {

constexpr std::string_view kCode = "slower-than-history";

// A run that wrote 100 MiB in `seconds`, after others that took as long as told.
OneFile run_of(double seconds, const std::vector<double>& earlier, double past_bytes = 100.0 * (1 << 20)) {
  Use use;
  use.ranks = 1;
  use.write = {.calls = 100, .bytes = 100LL << 20, .sequential = 100, .seconds = seconds};
  OneFile one(use);
  one.run.seconds = seconds + 8;
  double start = 0;
  for (const double took : earlier) add_past_run(one.run, {start += 1, took + 8, took, past_bytes});
  return one;
}

TEST(HistoryRule, SlowerThanEver) {
  const auto found = run_of(2, {0.5, 0.52, 0.48, 0.51, 0.6}).look(kCode);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NEAR(found[0].seconds, 2 - 0.51, 1e-9);
  EXPECT_NE(found[0].title.find("I/O took 2.00 s, 3.9 times the 510.0 ms of 5 earlier runs"), std::string::npos)
      << found[0].title;
}

TEST(HistoryRule, WithinWhatItUsedToBe) {
  EXPECT_TRUE(run_of(0.55, {0.5, 0.52, 0.48, 0.51, 0.6}).look(kCode).empty());
  EXPECT_TRUE(run_of(2, {0.5, 3, 0.6, 2.5, 1.5}).look(kCode).empty());  // it always varied
}

TEST(HistoryRule, OneBadDayInThePastChangesNothing) {
  EXPECT_EQ(run_of(2, {0.5, 0.52, 0.48, 0.51, 60}).look(kCode).size(), 1U);
}

TEST(HistoryRule, TooFewOrOtherRunsSayNothing) {
  EXPECT_TRUE(run_of(2, {0.5, 0.5, 0.5}).look(kCode).empty());
  EXPECT_TRUE(run_of(2, {}).look(kCode).empty());
  EXPECT_TRUE(run_of(2, {0.5, 0.5, 0.5, 0.5}, 1e6).look(kCode).empty());  // they had less to do
}

TEST(HistoryRule, TheRestMayBeSlower) {
  OneFile one = run_of(0.5, {0.5, 0.5, 0.5, 0.5});
  one.run.seconds = 30;
  const auto found = one.look(kCode);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NE(found[0].title.find("the run took"), std::string::npos);
  EXPECT_NEAR(found[0].seconds, 30 - 8.5, 1e-9);
}

}  // namespace
}  // namespace trikal::analyze
