#pragma once
// What is wrong with code that has not run: what analyze/static_rules say of every call site in it.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/static_rules/static_rule.hpp"

namespace trikal::analyze {

struct StaticFinding {
  const StaticRule* rule = nullptr;
  std::string source;
  unsigned line = 0, column = 0;
  std::string function;     // that the line is in
  std::uint32_t block = 0;  // the loop, or the line where there is none around it in its function
  std::string file;         // that it is done to; of several the first
  double files = 1;
  double times = 0;
  double seconds = 0;       // lost, by the costs of the prediction
  Certainty certainty = Certainty::kExact;
  int rank = 0;             // where it costs most

  [[nodiscard]] std::string_view code() const { return rule->code; }
};

// Most expensive first; one for each rule and call site.
[[nodiscard]] std::vector<StaticFinding> find_static(const Prediction& prediction, const Costs& costs = {});
// The same over all ranks: of each call site the rank that loses most.
[[nodiscard]] std::vector<StaticFinding> find_static(std::span<const Prediction> predictions, const Costs& costs = {});

}  // namespace trikal::analyze
