// P and X of the published model, and what a linear model makes of them.

#include <algorithm>
#include <cmath>
#include <set>

#include "predict/score/model.hpp"

namespace trikal::predict {
namespace {

using analyze::BlockKind;
using analyze::CodeBlock;

// Shares are of the whole: of the lines that do I/O; of space and depth, which lines do not have, of the functions.
std::array<double, 15> totals(const analyze::Prediction& prediction) {
  std::array<double, 15> sum{};
  std::set<std::uint32_t> lines;
  for (const auto& site : prediction.sites) lines.insert(site.block);
  for (const std::uint32_t line : lines)
    for (std::size_t i = 0; i < 15; ++i)
      if (i != 9 && i != 10) sum[i] += prediction.blocks[line].parameters[i];
  for (const CodeBlock& block : prediction.blocks)
    if (block.kind == BlockKind::kFunction)
      for (const std::size_t i : {std::size_t{9}, std::size_t{10}}) sum[i] += block.parameters[i];
  return sum;
}

}  // namespace

void set_variables(analyze::Prediction& prediction, double concurrency) {
  const std::array<double, 15> sum = totals(prediction);
  double longest = 0;
  for (CodeBlock& block : prediction.blocks) longest = std::max(longest, block.parameters[0]);
  for (CodeBlock& block : prediction.blocks) {
    auto& p = block.parameters;
    auto& x = block.variables;
    p[14] = concurrency;
    x[0] = longest > 0 ? p[0] / longest : 0;
    for (std::size_t i = 1; i < 13; ++i) x[i] = sum[i] > 0 ? std::min(1.0, p[i] / sum[i]) : 0;
    x[13] = p[13] == p[14] ? 1 : std::abs(p[13] - p[14]) / std::max(p[13], p[14]);
    x[14] = p[11] > 0 ? 1 : 0;
    x[15] = p[12] > 0 ? 1 : 0;
  }
}

const std::vector<std::string>& refit_variables() {
  static const std::vector<std::string> kNames = {"log P1", "log P2",  "log P3",  "P4/P2",  "P5/P2",
                                                  "P6/P2",  "log P7",  "log P8",  "log P9", "log P10",
                                                  "P11",    "log P12", "log P13", "X14"};
  return kNames;
}

double variable(const CodeBlock& block, const std::string& name) {
  if (name == "const") return 1;
  const auto number = [&](std::size_t from, std::size_t most) {
    const unsigned long told = std::strtoul(name.c_str() + from, nullptr, 10);
    return told >= 1 && told <= most ? told - 1 : most;
  };
  if (name.starts_with("X")) {
    const std::size_t i = number(1, 16);
    return i < 16 ? block.variables[i] : 0;
  }
  const std::size_t i = number(name.starts_with("log P") ? 5 : 1, 15);
  if (i >= 15) return 0;
  const double p = block.parameters[i];
  if (name.starts_with("log P")) return std::log1p(p);
  if (name.find("/P2") != std::string::npos) return block.parameters[1] > 0 ? p / block.parameters[1] : 0;
  return p;
}

double score_of(const Model& model, const CodeBlock& block) {
  if (block.io.empty()) return 0;
  double y = 0;
  for (const auto& [name, coefficient] : model.coefficients) y += coefficient * variable(block, name);
  if (model.link == "exp") return std::min(1.0, std::exp(std::min(y, 0.0)));
  return 1 / (1 + std::exp(-std::clamp(y, -700.0, 700.0)));
}

}  // namespace trikal::predict
