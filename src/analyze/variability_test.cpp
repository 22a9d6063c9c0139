#include "analyze/variability.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace trikal::analyze {
namespace {

constexpr double kHour = 3600;

// Four ranks, two files, alike but for a little noise.
RunSample usual_run(std::int64_t number, double start) {
  RunSample run{.run = number, .start = start};
  const double noise = 0.01 * static_cast<double>(number % 3);
  for (int rank = 0; rank < 4; ++rank) run.parts.push_back({"rank", std::to_string(rank), 1 + noise});
  run.parts.push_back({"file", "/data/in", 3 + noise}), run.parts.push_back({"file", "/data/out", 1 + noise});
  for (const RunPart& part : run.parts) run.seconds += part.dimension == "rank" ? part.seconds : 0;
  return run;
}

std::vector<RunSample> six_runs() {
  std::vector<RunSample> runs;
  for (int i = 1; i <= 6; ++i) runs.push_back(usual_run(i, i * kHour));
  return runs;
}

bool names(const std::vector<Deviation>& found, const std::string& dimension, const std::string& name,
           std::int64_t run) {
  return std::ranges::any_of(
      found, [&](const Deviation& one) { return one.dimension == dimension && one.name == name && one.run == run; });
}

TEST(Variability, SaysNothingOfRunsThatAreAlike) {
  EXPECT_TRUE(find_deviations(six_runs()).empty());
  EXPECT_TRUE(find_deviations({}).empty());
}

TEST(Variability, NamesTheRunTheRankAndTheFileThatAreSlow) {
  std::vector<RunSample> runs = six_runs();
  runs[3].parts[2].seconds += 5, runs[3].parts[4].seconds += 5, runs[3].seconds += 5;
  const auto found = find_deviations(runs);
  EXPECT_TRUE(names(found, "run", "", 4));
  EXPECT_TRUE(names(found, "rank", "2", 4));
  EXPECT_TRUE(names(found, "file", "/data/in", 4));
  EXPECT_EQ(found.size(), 3U);
  EXPECT_NEAR(found.front().seconds - found.front().typical, 5, 0.1);
  EXPECT_EQ(found.front().compared, 5U);
}

TEST(Variability, NamesARankThatIsSlowInEveryRun) {
  std::vector<RunSample> runs = six_runs();
  for (RunSample& run : runs) run.parts[1].seconds *= 3;
  const auto found = find_deviations(runs);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_TRUE(names(found, "rank", "1", 0));
  EXPECT_NEAR(found.front().seconds / found.front().typical, 3, 0.1);
}

TEST(Variability, NamesAnHourOfTheDay) {
  std::vector<RunSample> runs = six_runs();
  for (int day = 0; day < 3; ++day) {
    runs.push_back(usual_run(7 + day, day * 24 * kHour + 14.5 * kHour));
    runs.back().seconds *= 2;
  }
  EXPECT_TRUE(names(find_deviations(runs), "hour", "14:00 UTC", 0));
}

TEST(Variability, NeedsEnoughRuns) {
  std::vector<RunSample> runs = {usual_run(1, 0), usual_run(2, 0)};
  runs[1].seconds *= 10;
  EXPECT_TRUE(find_deviations(runs).empty());
}

}  // namespace
}  // namespace trikal::analyze
