#include "analyze/dataset/static_findings.hpp"

#include <gtest/gtest.h>

namespace trikal::analyze {
namespace {

Prediction one(Operation operation, double count, double size) {
  Prediction prediction;
  prediction.blocks.push_back({BlockKind::kProgram, 0, "program"});
  prediction.blocks.push_back({BlockKind::kFunction, 0, "save"});
  prediction.blocks.push_back({BlockKind::kLoop, 1, "", "a.c", 10});
  prediction.blocks.push_back({BlockKind::kLine, 2, "", "a.c", 12});
  prediction.files.push_back({"/out", 0, false});
  prediction.sites.push_back({"a.c", 12, 3, "save", 3});
  PredictedAccess access{0, 0, operation, {}};
  access.use.add(count, size, Certainty::kExact);
  prediction.accesses.push_back(access);
  return prediction;
}

TEST(StaticFindings, NamesTheLoopAndTheLine) {
  const auto found = find_static(one(Operation::kSync, 100, 0));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].code, "sync-in-loop");
  EXPECT_EQ(found[0].line, 12U);
  EXPECT_EQ(found[0].block, 2U);
  EXPECT_DOUBLE_EQ(found[0].seconds, 99 * Costs{}.sync);
}

TEST(StaticFindings, TinyAccessesCountWhenTheyAreMany) {
  EXPECT_EQ(find_static(one(Operation::kWrite, 5000, 64)).at(0).code, "tiny-writes-in-loop");
  EXPECT_EQ(find_static(one(Operation::kRead, 5000, 64)).at(0).code, "tiny-reads-in-loop");
  EXPECT_TRUE(find_static(one(Operation::kWrite, 500, 64)).empty());
  EXPECT_TRUE(find_static(one(Operation::kWrite, 5000, 65536)).empty());
}

TEST(StaticFindings, OneFileAfterTheOtherIsNotReopened) {
  Prediction prediction = one(Operation::kOpen, 1000, 0);
  EXPECT_EQ(find_static(prediction).at(0).code, "open-in-loop");
  prediction.files[0].like_it = 999;
  EXPECT_TRUE(find_static(prediction).empty());
}

TEST(PredictedUse, AddsAndMerges) {
  PredictedUse use, other;
  use.add(10, 100, Certainty::kExact);
  other.add(2, 5000, Certainty::kAssumed);
  use.merge(other);
  EXPECT_DOUBLE_EQ(use.count, 12);
  EXPECT_DOUBLE_EQ(use.bytes, 11000);
  EXPECT_DOUBLE_EQ(use.classes[0], 10);
  EXPECT_DOUBLE_EQ(use.classes[2], 2);
  EXPECT_EQ(use.certainty, Certainty::kAssumed);
}

TEST(Prediction, BlocksWithoutIoScoreZero) {
  Prediction prediction = one(Operation::kWrite, 10, 100);
  prediction.blocks[1].instructions = 1e6;
  prediction.blocks[2].io.emplace_back(Operation::kWrite, prediction.accesses[0].use);
  estimate(prediction);
  EXPECT_EQ(prediction.blocks[1].score, 0);
  EXPECT_EQ(prediction.blocks[2].score, 1);
}

}  // namespace
}  // namespace trikal::analyze
