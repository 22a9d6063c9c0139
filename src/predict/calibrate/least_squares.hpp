#pragma once
// Linear algebra for a few dozen variables.

#include <vector>

namespace trikal::predict {

// Solves (A + ridge) x = b for a symmetric positive A, given by rows; the first variable is not drawn towards zero.
[[nodiscard]] std::vector<double> solve(std::vector<std::vector<double>> a, std::vector<double> b, double ridge);

}  // namespace trikal::predict
