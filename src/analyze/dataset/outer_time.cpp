#include "analyze/dataset/outer_time.hpp"

#include <algorithm>

namespace trikal::analyze {

void OuterTime::add_outer(BaseRecord base, const Use& use) {
  Nest& nest = nests_[{base.id, base.rank}];
  nest.outer.slowest += use.slowest_seconds, nest.outer.all += use.seconds();
}

OuterTime::Nest* OuterTime::nest_of(BaseRecord base) {
  if (nests_.empty()) return nullptr;  // most logs: no search for each record
  auto found = nests_.find({base.id, kSharedRank});
  if (found == nests_.end()) found = nests_.find({base.id, base.rank});
  return found == nests_.end() ? nullptr : &found->second;
}

void OuterTime::add(BaseRecord base, const Use& use) {
  if (Nest* nest = nest_of(base)) {
    nest->inner.slowest = std::max(nest->inner.slowest, use.slowest_seconds);
    nest->inner.all += use.seconds();
    return;
  }
  all_ += use.seconds();
  (base.rank == kSharedRank ? shared_ : ranks_[base.rank]) += use.slowest_seconds;
}

OuterTime::Sums OuterTime::sums() const {
  auto ranks = ranks_;
  Sums sums{shared_, all_};
  for (const auto& [file, nest] : nests_) {
    const double slowest = std::max(nest.outer.slowest, nest.inner.slowest);
    (file.second == kSharedRank ? sums.slowest : ranks[file.second]) += slowest;
    sums.all += std::max(nest.outer.all, nest.inner.all);
  }
  double longest = 0;
  for (const auto& [rank, seconds] : ranks) longest = std::max(longest, seconds);
  sums.slowest += longest;
  return sums;
}

}  // namespace trikal::analyze
