#include "predict/calibrate/least_squares.hpp"

#include <cmath>
#include <cstddef>
#include <utility>

namespace trikal::predict {

std::vector<double> solve(std::vector<std::vector<double>> a, std::vector<double> b, double ridge) {
  const std::size_t n = b.size();
  for (std::size_t i = 0; i < n; ++i) a[i][i] += i == 0 ? 1e-9 : ridge;
  for (std::size_t i = 0; i < n; ++i) {
    std::size_t pivot = i;
    for (std::size_t k = i + 1; k < n; ++k)
      if (std::abs(a[k][i]) > std::abs(a[pivot][i])) pivot = k;
    std::swap(a[i], a[pivot]);
    std::swap(b[i], b[pivot]);
    if (std::abs(a[i][i]) < 1e-300) continue;
    for (std::size_t k = i + 1; k < n; ++k) {
      const double share = a[k][i] / a[i][i];
      for (std::size_t j = i; j < n; ++j) a[k][j] -= share * a[i][j];
      b[k] -= share * b[i];
    }
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t j = i + 1; j < n; ++j) b[i] -= a[i][j] * b[j];
    b[i] = std::abs(a[i][i]) < 1e-300 ? 0 : b[i] / a[i][i];
  }
  return b;
}

}  // namespace trikal::predict
