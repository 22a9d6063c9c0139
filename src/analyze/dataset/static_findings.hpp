#pragma once
// What is wrong with code that has not run: operations that a loop repeats and need not.

#include <string>
#include <string_view>
#include <vector>

#include "analyze/dataset/prediction.hpp"

namespace trikal::analyze {

struct StaticFinding {
  std::string_view code;  // stable
  std::string source;
  unsigned line = 0;
  std::uint32_t block = 0;  // the loop, or the line where there is none around it in its function
  std::string file;         // that it is done to
  double times = 0;
  double seconds = 0;       // lost, by the costs of the prediction
  std::string_view fix;
};

// Most expensive first.
[[nodiscard]] std::vector<StaticFinding> find_static(const Prediction& prediction, const Costs& costs = {});

}  // namespace trikal::analyze
