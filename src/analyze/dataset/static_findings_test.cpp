#include "analyze/dataset/static_findings.hpp"

#include <gtest/gtest.h>

#include <set>

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
  access.use.sequential = count;
  prediction.accesses.push_back(access);
  return prediction;
}

TEST(StaticFindings, NamesTheLoopAndTheLine) {
  const auto found = find_static(one(Operation::kSync, 100, 0));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].code(), "sync-in-loop");
  EXPECT_EQ(found[0].line, 12U);
  EXPECT_EQ(found[0].block, 2U);
  EXPECT_DOUBLE_EQ(found[0].seconds, 99 * Costs{}.sync);
}

TEST(StaticFindings, TinyAccessesCountWhenTheyAreMany) {
  EXPECT_EQ(find_static(one(Operation::kWrite, 5000, 64)).at(0).code(), "tiny-writes-in-loop");
  EXPECT_EQ(find_static(one(Operation::kRead, 5000, 64)).at(0).code(), "tiny-reads-in-loop");
  EXPECT_TRUE(find_static(one(Operation::kWrite, 500, 64)).empty());
  EXPECT_TRUE(find_static(one(Operation::kWrite, 5000, 65536)).empty());
}

TEST(StaticFindings, OneFileAfterTheOtherIsNotReopened) {
  Prediction prediction = one(Operation::kOpen, 1000, 0);
  EXPECT_EQ(find_static(prediction).at(0).code(), "open-in-loop");
  prediction.files[0].like_it = 999;
  EXPECT_TRUE(find_static(prediction).empty());
}

TEST(StaticFindings, EveryRuleSaysWhatToDo) {
  std::set<std::string_view> codes;
  for (const StaticRule* rule : static_rules()) {
    EXPECT_TRUE(codes.insert(rule->code).second) << rule->code;
    EXPECT_FALSE(rule->title.empty() || rule->title.ends_with('.')) << rule->code;
    EXPECT_TRUE(rule->why.ends_with('.') && rule->fix.ends_with('.')) << rule->code;
  }
  EXPECT_GE(codes.size(), 10U);
}

TEST(StaticFindings, FlagsDecide) {
  const auto code = [](Operation operation, std::uint16_t flags, double count, double size) {
    Prediction prediction = one(operation, count, size);
    prediction.accesses[0].use.flags = flags;
    const auto found = find_static(prediction);
    return found.empty() ? std::string_view() : found[0].code();
  };
  EXPECT_EQ(code(Operation::kWrite, kUseSynchronous, 50, 8192), "synchronous-writes");
  EXPECT_EQ(code(Operation::kRead, kUseSynchronous, 50, 8192), "");
  EXPECT_EQ(code(Operation::kFlush, kUseLineEnd, 500, 0), "endl-in-loop");
  EXPECT_EQ(code(Operation::kFlush, 0, 500, 0), "flush-in-loop");
  EXPECT_EQ(code(Operation::kStreamWrite, kUseUnbuffered, 5000, 16), "unbuffered-stream");
  EXPECT_EQ(code(Operation::kStreamWrite, kUseText | kUseNumbers, 500'000, 8), "numbers-as-text");
  EXPECT_EQ(code(Operation::kStreamWrite, kUseText, 500'000, 8), "");
}

TEST(StaticFindings, OrderDecides) {
  Prediction prediction = one(Operation::kStreamRead, 5000, 4096);
  PredictedUse& use = prediction.accesses[0].use;
  use.sequential = 0;
  EXPECT_EQ(pattern_of(use), "random");
  EXPECT_EQ(find_static(prediction).at(0).code(), "random-access");
  use.sequential = 4999;
  EXPECT_EQ(pattern_of(use), "forward");
  EXPECT_TRUE(find_static(prediction).empty());
  use.consecutive = 4999;
  EXPECT_EQ(pattern_of(use), "consecutive");
  EXPECT_EQ(pattern_of(PredictedUse{}), "");
}

TEST(StaticFindings, OfRanksTheWorstIsKept) {
  const Prediction ranks[] = {one(Operation::kSync, 100, 0), one(Operation::kSync, 300, 0),
                              one(Operation::kSync, 200, 0)};
  const auto found = find_static(std::span(ranks));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].times, 300);
}

TEST(PredictedUse, FlagsHaveNames) {
  EXPECT_TRUE(names_of_flags(0).empty());
  EXPECT_EQ(names_of_flags(kUseSynchronous | kUseLineEnd), (std::vector<std::string_view>{"synchronous", "endl"}));
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
