#include "predict/calibrate/fit.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "predict/calibrate/least_squares.hpp"
#include "predict/calibrate/order.hpp"

namespace trikal::predict {
namespace {

using analyze::Operation;
using analyze::Work;

analyze::Costs even_costs() {
  analyze::Costs costs;
  costs.prices.assign(kOperations, {1e-6, 1e-9});
  costs.work.assign(analyze::kWorkKinds, 1e-9);
  return costs;
}

// Blocks of applications whose writes take `write` seconds each and whose instructions `instruction`.
Rows made_up(double write, double instruction) {
  Rows rows;
  for (int application = 0; application < 4; ++application)
    for (int size = 1; size <= 6; ++size) {
      Row row;
      row.application = "a" + std::to_string(application), row.input = std::to_string(size), row.path = "p";
      analyze::PredictedUse use;
      use.add(1000.0 * size * (application + 1), 0, analyze::Certainty::kExact);
      row.block.io.emplace_back(Operation::kWrite, use);
      row.block.parameters[1] = use.count;
      row.block.work[static_cast<std::size_t>(Work::kArithmetic)] = 4e6 * (7 - size);
      row.io_seconds = write * use.count;
      row.seconds = row.io_seconds + instruction * 4e6 * (7 - size);
      rows.push_back(row);
    }
  return rows;
}

TEST(Physical, FindsTheCostsThatBlocksWereMadeWith) {
  const Rows rows = made_up(5e-6, 3e-10);
  const Model model = fit_physical(rows, even_costs());
  EXPECT_NEAR(model.costs.prices[static_cast<std::size_t>(Operation::kWrite)].each, 5e-6, 0.3e-6);
  EXPECT_NEAR(model.costs.work[static_cast<std::size_t>(Work::kArithmetic)], 3e-10, 0.2e-10);
  EXPECT_DOUBLE_EQ(model.costs.prices[static_cast<std::size_t>(Operation::kSync)].each,
                   1e-6);  // nobody tells: as before
  std::vector<double> scores;
  for (const Row& row : rows) scores.push_back(predicted_score(model, row.block));
  const Figures good = judge(rows, scores);
  EXPECT_GT(good.accuracy, 0.99);
  EXPECT_GT(good.r2, 0.99);
  EXPECT_EQ(good.f1, 1);
  EXPECT_NEAR(good.spearman, 1, 1e-9);
}

Row measured(const std::string& application, double intensity, double spread = 0) {
  Row row;
  row.application = application, row.seconds = 1, row.io_seconds = intensity, row.spread = spread;
  row.block.io.emplace_back(Operation::kWrite, analyze::PredictedUse{});
  return row;
}

TEST(Order, OfTwoBlocksIsRightOrMissing) {
  const Order order({measured("a", 0.9), measured("a", 0.8), measured("b", 0.1)});
  EXPECT_DOUBLE_EQ(order.missing({0.5, 0.4, 0.6}), 0);
  EXPECT_DOUBLE_EQ(order.missing({0.5, 0.5, 0.6}), 0.5);  // all that "a" has, and it is one of two
  EXPECT_GT(order.missing({0.4, 0.5, 0.6}), 0.5);
}

TEST(Order, OfBlocksThatRepeatedRunsDoNotTellApartIsNotAsked) {
  EXPECT_EQ(Order({measured("a", 0.905), measured("a", 0.9)}).missing({0, 1}), 0);
  EXPECT_EQ(Order({measured("a", 0.95, 0.1), measured("a", 0.9, 0.1)}).missing({0, 1}), 0);
  EXPECT_GT(Order({measured("a", 0.95, 0.01), measured("a", 0.9, 0.01)}).missing({0, 1}), 0);
  Row computes = measured("a", 0);
  computes.block.io.clear();
  EXPECT_EQ(Order({measured("a", 0.9), computes}).missing({0, 1}), 0);  // its score is 0 whatever the model says
}

TEST(Refit, LearnsWhatItsVariablesTell) {
  const Rows rows = made_up(5e-6, 3e-10);
  const Model model = fit_refit(rows);
  std::vector<double> scores;
  for (const Row& row : rows) scores.push_back(predicted_score(model, row.block));
  EXPECT_GT(model.coefficients.at("log P2"), 0);  // more operations, more I/O
  EXPECT_LT(judge(rows, scores).mae, 0.2);
  for (const double one : scores) EXPECT_TRUE(one >= 0 && one <= 1);
}

TEST(Figures, AreWhatTheyAreDefinedToBe) {
  Rows rows(2);
  for (Row& row : rows) row.block.io.emplace_back(Operation::kRead, analyze::PredictedUse{});
  rows[0].seconds = 9, rows[0].io_seconds = 9, rows[1].seconds = 1;
  const Figures f = judge(rows, {0.5, 1});
  EXPECT_DOUBLE_EQ(f.mae, 0.75);
  EXPECT_DOUBLE_EQ(f.accuracy, (9 * 0.5 + 1 * 0) / 10);
  EXPECT_EQ(f.f1, 0);  // one missed, one false
}

TEST(Spearman, ComparesOrders) {
  EXPECT_NEAR(spearman({1, 2, 3, 4}, {10, 20, 30, 1000}), 1, 1e-12);
  EXPECT_NEAR(spearman({1, 2, 3, 4}, {4, 3, 2, 1}), -1, 1e-12);
  EXPECT_NEAR(spearman({1, 1, 2}, {5, 5, 9}), 1, 1e-12);
  EXPECT_TRUE(std::isnan(spearman({1, 1, 1}, {1, 2, 3})));
}

// Two blocks whose order a run may reverse are alike, but only in the figure that says so.
TEST(Spearman, DoesNotRankWhatRunsDoNotTellApart) {
  Rows rows(4);
  const double measured[] = {0, 0.50, 0.53, 0.90};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].application = "a", rows[i].seconds = 1, rows[i].io_seconds = measured[i], rows[i].spread = 0.1;
    rows[i].block.io.emplace_back(Operation::kRead, analyze::PredictedUse{});
  }
  const Figures turned = judge(rows, {0, 0.53, 0.50, 0.90});
  EXPECT_NEAR(turned.spearman, 0.8, 1e-9);
  EXPECT_NEAR(turned.beyond, 1, 1e-9);
  for (Row& row : rows) row.spread = 0.001;
  EXPECT_NEAR(judge(rows, {0, 0.53, 0.50, 0.90}).beyond, 0.8, 1e-9);  // never finer than a hundredth
}

TEST(Solve, SolvesWhatIsGiven) {
  const std::vector<double> x = solve({{4, 1}, {1, 3}}, {1, 2}, 0);
  EXPECT_NEAR(x[0], 1.0 / 11, 1e-6);
  EXPECT_NEAR(x[1], 7.0 / 11, 1e-6);
}

TEST(DataSet, ChangesItsHashWhenItChanges) {
  Rows rows = made_up(5e-6, 3e-10);
  const std::string before = hash_of(rows_csv(rows));
  EXPECT_EQ(before, hash_of(rows_csv(rows)));
  rows[3].io_seconds *= 1.01;
  EXPECT_NE(before, hash_of(rows_csv(rows)));
}

}  // namespace
}  // namespace trikal::predict
