#include "predict/calibrate/fit.hpp"

#include <algorithm>
#include <cmath>

#include "predict/calibrate/least_squares.hpp"
#include "predict/calibrate/order.hpp"

namespace trikal::predict {
namespace {

using analyze::Costs;

// Costs as one list: for each operation the call and the byte, then kinds of work.
constexpr std::size_t kPrices = 2 * kOperations, kAll = kPrices + analyze::kWorkKinds;
bool is_io(std::size_t cost) { return cost < kPrices || analyze::is_io(static_cast<analyze::Work>(cost - kPrices)); }
using List = std::vector<double>;

List list_of(const Costs& costs) {
  List list(kAll);
  for (std::size_t i = 0; i < kOperations && i < costs.prices.size(); ++i)
    list[2 * i] = costs.prices[i].each, list[2 * i + 1] = costs.prices[i].byte;
  for (std::size_t i = 0; i < analyze::kWorkKinds && i < costs.work.size(); ++i) list[kPrices + i] = costs.work[i];
  return list;
}

Costs costs_of(const List& list) {
  Costs costs;
  for (std::size_t i = 0; i < kOperations; ++i) costs.prices.push_back({list[2 * i], list[2 * i + 1]});
  costs.work.assign(list.begin() + static_cast<std::ptrdiff_t>(kPrices), list.end());
  return costs;
}

}  // namespace

List amounts_of(const analyze::CodeBlock& block) {
  List list(kAll);
  for (const auto& [operation, use] : block.io) {
    const auto below = analyze::below_stream(operation);
    const bool past = below && analyze::goes_past_buffer(use);
    list[2 * static_cast<std::size_t>(operation)] += use.count;
    list[2 * static_cast<std::size_t>(past ? *below : operation) + 1] += use.bytes;
    if (below) list[2 * static_cast<std::size_t>(*below)] += analyze::calls_below(use);
    if (analyze::waits_for_device(operation, use))
      list[2 * static_cast<std::size_t>(analyze::Operation::kDataSync)] += use.count;
  }
  for (std::size_t i = 0; i < analyze::kWorkKinds; ++i) list[kPrices + i] = block.work[i];
  return list;
}

namespace {

// Moves one cost after the other up and down, by less and less, while the blocks are predicted better by it. Costs that
// no block tells about stay as the machine's profile has them.
class Search {
 public:
  Search(const Rows& rows, List prior)
      : prior_(std::move(prior)), factor_(kAll, 1), order_(rows), shares_(rows.size()) {
    std::map<std::string, double> weights;
    for (const Row& row : rows) weights[row.application] += std::sqrt(row.seconds);
    double sum = 0;
    for (auto& [application, weight] : weights) sum += std::sqrt(weight);
    for (const Row& row : rows) {
      One one{amounts_of(row.block), row.intensity(), row.seconds,
              std::sqrt(row.seconds / weights[row.application]) / sum};
      for (std::size_t i = 0; i < kAll; ++i) {
        one.amounts[i] *= prior_[i];  // seconds, by the profile
        (is_io(i) ? one.io : one.compute) += one.amounts[i];
      }
      rows_.push_back(std::move(one));
    }
  }

  List run() {
    for (const double step : {4.0, 2.0, 1.5, 1.2, 1.1, 1.05, 1.02})
      for (int pass = 0; pass < 12 && improve(step); ++pass) continue;
    List costs = prior_;
    for (std::size_t i = 0; i < kAll; ++i) costs[i] *= factor_[i];
    return costs;
  }

 private:
  struct One {
    List amounts;
    double intensity, seconds, weight;
    double io = 0, compute = 0;  // with the factors as they are
  };
  static constexpr double kOfTime = 0.15;  // how much the seconds count beside the share of I/O
  static constexpr double kOfOrder = 0.02;  // how much it counts which of two blocks of an application has more
  static constexpr double kOfPrior = 2e-4;  // how much it takes to leave what was measured alone

  // How far one time is from another, as a factor; what is both short is near.
  static double off(double predicted, double measured) {
    constexpr double kShort = 1e-4;
    return std::min(3.0, std::abs(std::log((predicted + kShort) / (measured + kShort))));
  }

  [[nodiscard]] double error(std::size_t cost, double change) {
    double sum = 0;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const One& row = rows_[i];
      const double more = row.amounts[cost] * factor_[cost] * (change - 1);
      const double io = row.io + (is_io(cost) ? more : 0), all = row.io + row.compute + more;
      shares_[i] = all > 0 ? io / all : 0;
      const double miss = shares_[i] - row.intensity;
      // Not squared: a block that was measured badly should not drag the others along.
      sum +=
          row.weight * (std::sqrt(miss * miss + 1e-4) + kOfTime * row.intensity * off(io, row.seconds * row.intensity) +
                        kOfTime * (1 - row.intensity) * off(all - io, row.seconds * (1 - row.intensity)));
    }
    const double away = std::log(factor_[cost] * change);
    return sum + kOfOrder * order_.missing(shares_) + kOfPrior * away * away;
  }

  bool improve(double step) {
    bool better = false;
    for (std::size_t i = 0; i < kAll; ++i) {
      const bool told = std::ranges::any_of(rows_, [&](const One& row) { return row.amounts[i] > 1e-4 * row.seconds; });
      if (!told) continue;
      const double now = error(i, 1);
      for (const double change : {step, 1 / step}) {
        if (error(i, change) >= now - 1e-9) continue;
        for (One& row : rows_) (is_io(i) ? row.io : row.compute) += row.amounts[i] * factor_[i] * (change - 1);
        factor_[i] *= change;
        better = true;
        break;
      }
    }
    return better;
  }

  List prior_, factor_;
  std::vector<One> rows_;
  Order order_;
  List shares_;  // of I/O, by row: scratch space of error()
};

}  // namespace

Model fit_physical(const Rows& rows, const Costs& prior) {
  Model model;
  model.name = "physical", model.version = "1", model.rows = static_cast<double>(rows.size());
  model.costs = costs_of(Search(rows, list_of(prior)).run());
  return model;
}

Model fit_refit(const Rows& rows) {
  Model model;
  model.name = "vidya-refit", model.version = "1", model.kind = Model::Kind::kLinear;
  model.rows = static_cast<double>(rows.size());
  const std::vector<std::string>& names = refit_variables();
  const std::size_t n = names.size() + 1;
  List beta(n);
  constexpr double kRidge = 0.5;
  for (int round = 0; round < 50; ++round) {  // iteratively reweighted least squares
    std::vector<List> a(n, List(n));
    List b(n);
    for (const Row& row : rows) {
      if (!analyze::does_io(row.block)) continue;
      List x = {1};
      for (const std::string& name : names) x.push_back(variable(row.block, name));
      double y = 0;
      for (std::size_t i = 0; i < n; ++i) y += beta[i] * x[i];
      const double p = 1 / (1 + std::exp(-std::clamp(y, -30.0, 30.0))), w = std::max(1e-4, p * (1 - p));
      const double z = y + (row.intensity() - p) / w;
      for (std::size_t i = 0; i < n; ++i) {
        b[i] += w * x[i] * z;
        for (std::size_t j = 0; j < n; ++j) a[i][j] += w * x[i] * x[j];
      }
    }
    const List next = solve(std::move(a), std::move(b), kRidge);
    double moved = 0;
    for (std::size_t i = 0; i < n; ++i) moved = std::max(moved, std::abs(next[i] - beta[i]));
    beta = next;
    if (moved < 1e-8) break;
  }
  model.coefficients["const"] = beta[0];
  for (std::size_t i = 1; i < n; ++i) model.coefficients[names[i - 1]] = beta[i];
  return model;
}

double predicted_score(const Model& model, const analyze::CodeBlock& block) {
  if (model.kind == Model::Kind::kLinear) return score_of(model, block);
  const List costs = list_of(model.costs), amounts = amounts_of(block);
  double io = 0, all = 0;
  for (std::size_t i = 0; i < kAll; ++i) {
    all += costs[i] * amounts[i];
    if (is_io(i)) io += costs[i] * amounts[i];
  }
  return !analyze::does_io(block) || all <= 0 ? 0 : io / all;
}

}  // namespace trikal::predict
