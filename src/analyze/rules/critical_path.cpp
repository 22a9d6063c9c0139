#include "analyze/rules/critical_path.hpp"

#include <algorithm>

namespace trikal::analyze {
namespace {

// The part of all ranks' time on a file that its slowest rank spends.
double share_of_slowest(const Use& use) {
  const double ranks = static_cast<double>(std::max<std::int64_t>(use.ranks, 1)), all = use.seconds();
  const double share = all > 0 ? use.slowest_seconds / all : 0;
  return std::clamp(share, 1 / ranks, 1.0);
}

}  // namespace

double CriticalPath::add(const Use& use, double lost) {
  if (use.ranks <= 1 && use.slowest_rank < 0) {  // no rank: a rule knows that the run loses it
    whole_ += lost;
    return lost;
  }
  all_ += lost;
  if (use.ranks <= 1) {
    own_[use.slowest_rank] += lost;
    return lost;
  }
  const double slowest = lost * share_of_slowest(use);
  if (is_parallel_) {
    shared_ += slowest;
    return slowest;
  }
  own_[use.slowest_rank] += slowest;
  return lost / std::min(static_cast<double>(use.ranks), std::max(1.0, run_.concurrency));
}

SecondsRange CriticalPath::seconds() const {
  double longest = 0;
  for (const auto& [rank, seconds] : own_) longest = std::max(longest, seconds);
  const double even = all_ / std::max(1.0, run_.concurrency);
  // The processes of a script come and go: they lose what they lose together, by how many of them there are at a time.
  const double path = is_parallel_ ? shared_ + longest : std::max(longest, even);
  return {whole_ + std::min(even, path), whole_ + path, whole_ + path};
}

}  // namespace trikal::analyze
