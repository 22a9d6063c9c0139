#include "predict/score/model.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "predict/score/json.hpp"

namespace trikal::predict {
namespace {

using analyze::CodeBlock;
using analyze::Operation;

// A program with one line in a loop that does all of the I/O, and one that does a quarter of the operations.
analyze::Prediction two_lines() {
  analyze::Prediction out;
  out.ranks = 4;
  out.blocks.resize(3);
  for (const std::uint32_t line : {1U, 2U}) {
    out.blocks[line].kind = analyze::BlockKind::kLine;
    analyze::PredictedUse use;
    use.add(line == 1 ? 75 : 25, 100, analyze::Certainty::kExact);
    out.blocks[line].io.emplace_back(Operation::kWrite, use);
    out.blocks[0].io.emplace_back(Operation::kWrite, use);
    out.blocks[line].parameters[1] = use.count;
    out.blocks[line].parameters[12] = use.count;
    out.blocks[line].parameters[0] = line == 1 ? 50 : 10;
    out.blocks[line].parameters[13] = 4;
    out.sites.push_back({"a.c", line, 1, "main", line});
  }
  return out;
}

TEST(Variables, AreSharesOfTheLinesWithIo) {
  analyze::Prediction prediction = two_lines();
  set_variables(prediction, 8);
  EXPECT_DOUBLE_EQ(prediction.blocks[1].variables[0], 1);
  EXPECT_DOUBLE_EQ(prediction.blocks[2].variables[0], 0.2);
  EXPECT_DOUBLE_EQ(prediction.blocks[1].variables[1], 0.75);
  EXPECT_DOUBLE_EQ(prediction.blocks[2].variables[1], 0.25);
  EXPECT_DOUBLE_EQ(prediction.blocks[1].variables[13], 0.5);  // 4 ranks, 8 at once
  EXPECT_DOUBLE_EQ(prediction.blocks[1].variables[14], 0);
  EXPECT_DOUBLE_EQ(prediction.blocks[1].variables[15], 1);
  set_variables(prediction, 4);
  EXPECT_DOUBLE_EQ(prediction.blocks[1].variables[13], 1);  // as published: 1 where they are equal
}

TEST(Variables, HaveNames) {
  CodeBlock block;
  block.parameters = {1, 10, 100, 5, 2};
  block.variables[3] = 0.25;
  EXPECT_DOUBLE_EQ(variable(block, "const"), 1);
  EXPECT_DOUBLE_EQ(variable(block, "P3"), 100);
  EXPECT_DOUBLE_EQ(variable(block, "log P3"), std::log1p(100));
  EXPECT_DOUBLE_EQ(variable(block, "P4/P2"), 0.5);
  EXPECT_DOUBLE_EQ(variable(block, "X4"), 0.25);
  EXPECT_DOUBLE_EQ(variable(block, "X99"), 0);
  EXPECT_DOUBLE_EQ(variable(block, "Q"), 0);
}

TEST(Score, IsBetweenNothingAndOne) {
  Model model;
  model.kind = Model::Kind::kLinear;
  model.coefficients = {{"const", -2}, {"X2", 4}};
  analyze::Prediction prediction = two_lines();
  set_variables(prediction, 1);
  EXPECT_NEAR(score_of(model, prediction.blocks[1]), 1 / (1 + std::exp(-1.0)), 1e-12);
  EXPECT_EQ(score_of(model, CodeBlock{}), 0);  // no I/O
  model.coefficients["X2"] = 1e9;
  EXPECT_EQ(score_of(model, prediction.blocks[1]), 1);
  model.link = "exp";
  EXPECT_EQ(score_of(model, prediction.blocks[1]), 1);
}

TEST(Model, ReadsBackAsItWasWritten) {
  Model model;
  model.name = "physical", model.training = "abc", model.machine = "here \"and\" there", model.rows = 7;
  model.costs.prices.assign(kOperations, {2e-6, 3e-10});
  model.costs.work.assign(analyze::kWorkKinds, 4e-10);
  const std::string path = testing::TempDir() + "/model-test-" + std::to_string(getpid()) + ".json";
  std::ofstream(path) << model_json(model);
  const auto again = read_model(path);
  std::filesystem::remove(path);
  ASSERT_TRUE(again);
  EXPECT_EQ(model_json(*again), model_json(model));
  EXPECT_DOUBLE_EQ(again->costs.operation, 2e-6);
}

TEST(Model, WhatIsNoModelIsRefused) {
  const std::string path = testing::TempDir() + "/no-model-" + std::to_string(getpid()) + ".json";
  for (const char* text : {"", "{}", "[1, 2", R"({"schema": "trikal-model 1", "kind": "linear", "link": "other"})"}) {
    std::ofstream(path) << text;
    EXPECT_FALSE(read_model(path)) << text;
  }
  std::filesystem::remove(path);
  std::string problem;
  EXPECT_FALSE(choose_scoring("no such model", problem));
  EXPECT_NE(problem.find("no such model"), std::string::npos);
}

TEST(Json, ReadsWhatItShouldAndNothingElse) {
  const auto told = parse_json(R"({"a": [1, -2.5e3, true, null], "b": {"c": "x\ny"}})");
  ASSERT_TRUE(told);
  EXPECT_EQ((*told)["a"].items[1].number, -2500);
  EXPECT_EQ((*told)["b"]["c"].text, "x\ny");
  EXPECT_EQ((*told)["absent"]["too"].number_or(7), 7);
  for (const char* wrong : {"{", "[1,]", "{\"a\" 1}", "nul", "1 2", "\"open", "\"x\\"})
    EXPECT_FALSE(parse_json(wrong)) << wrong;
  EXPECT_FALSE(parse_json(std::string(100000, '[')));
}

}  // namespace
}  // namespace trikal::predict
