#pragma once
// How sure a prediction is, in words: said before any of its numbers, wherever they are shown.

#include <string>
#include <vector>

#include "analyze/dataset/prediction.hpp"

namespace trikal::report {

// "predicted; 72 % of operations exact, 20 % extrapolated, 8 % assumed because of the clock"; before it, where most of all
// operations or bytes are assumed, a line that says so. Empty where nothing was predicted.
[[nodiscard]] std::vector<std::string> sureness_lines(const analyze::Sureness& sure);

}  // namespace trikal::report
