#include "report/text/differences.hpp"

#include <gtest/gtest.h>

#include "report/text/prediction_check.hpp"

namespace trikal::report {
namespace {

using analyze::Value;

Value i(std::int64_t value) { return value; }

TEST(ChangeText, SaysWhatHelps) {
  EXPECT_EQ(change_text(i(100), i(125)), "+25.0 %");
  EXPECT_EQ(change_text(i(100), i(50)), "-50.0 %");
  EXPECT_EQ(change_text(i(2), i(25)), "x12.5");
  EXPECT_EQ(change_text(i(0), i(5)), "from 0");
  EXPECT_EQ(change_text(i(5), i(0)), "-100.0 %");
  EXPECT_EQ(change_text(i(-1), i(5)), "") << "-1 is not a quantity";
  EXPECT_EQ(change_text(std::string("a"), std::string("b")), "");
  EXPECT_EQ(change_text(Value(), i(5)), "");
}

TEST(PredictionCheck, SaysHowMuchIsRightAndWhatWasLeftOut) {
  analyze::PredictionScope scope;
  analyze::CompareResult result;
  result.prediction.emplace();
  EXPECT_TRUE(prediction_verdict(scope, result).starts_with("Nothing of the two can be compared"));
  result.prediction->values = 12, result.prediction->files = 1;
  EXPECT_EQ(prediction_verdict(scope, result),
            "The run did what was predicted: 12 counters of 1 file compared, all equal.");
  result.counts.changes = 2, result.counts.differing = 1, result.counts.only_b = 3, result.prediction->files_only_b = 1;
  EXPECT_EQ(prediction_verdict(scope, result),
            "The run did something else than predicted: 12 counters of 1 file compared, 10 equal, 2 different; "
            "0 files only predicted, 1 file only in the run.");
  result.prediction->counters = 3, result.prediction->counters_of = 9, result.prediction->libraries = 2;
  result.prediction->modules = {"HEATMAP"};
  std::vector<std::string> notes = prediction_notes(scope, *result.prediction);
  ASSERT_EQ(notes.size(), 2U) << "the second one: libraries may have done it";
  EXPECT_EQ(notes[0],
            "left out, as a prediction says nothing of it: 3 of 9 counters, the job but for its processes, HEATMAP, "
            "2 files that only libraries touch (--all compares everything)");
  scope.has_sites = true;
  EXPECT_EQ(prediction_notes(scope, *result.prediction).size(), 1U);
  scope.predicted = analyze::Side::kB;
  EXPECT_TRUE(prediction_verdict(scope, result).ends_with("1 file only predicted, 0 files only in the run."));
}

}  // namespace
}  // namespace trikal::report
