#include "predict/calibrate/order.hpp"

#include <algorithm>

namespace trikal::predict {
namespace {

constexpr double kAlike = 0.01;  // intensities that differ by less are not ranked
constexpr double kApart = 0.02;  // far enough for the order to hold when costs move a little

// Repeated runs would put blocks that are nearer than this now in one order, now in the other.
double resolution(const Row& a, const Row& b) { return std::max(kAlike, (a.spread + b.spread) / 2); }

}  // namespace

Order::Order(const Rows& rows) {
  const std::vector<std::string> applications = applications_of(rows);
  for (const std::string& application : applications) {
    const std::size_t begin = pairs_.size();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (rows[i].application != application || !analyze::does_io(rows[i].block)) continue;
      for (std::size_t j = 0; j < rows.size(); ++j) {
        if (rows[j].application != application || !analyze::does_io(rows[j].block)) continue;
        if (rows[i].intensity() - rows[j].intensity() > resolution(rows[i], rows[j])) pairs_.push_back({i, j, 0});
      }
    }
    const auto all = static_cast<double>((pairs_.size() - begin) * applications.size());
    for (std::size_t i = begin; i < pairs_.size(); ++i) pairs_[i].weight = 1 / all;
  }
}

double Order::missing(const std::vector<double>& shares) const {
  double sum = 0;
  for (const Pair& pair : pairs_)
    sum += pair.weight * std::max(0.0, 1 - (shares[pair.more] - shares[pair.less]) / kApart);
  return sum;
}

}  // namespace trikal::predict
