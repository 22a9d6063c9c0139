#include "analyze/dataset/outer_time.hpp"

#include <algorithm>

namespace trikal::analyze {

void OuterTime::add_library(BaseRecord file, Sums took) {
  Nest& nest = nests_[{file.id, file.rank}];
  nest.library.slowest += took.slowest, nest.library.all += took.all;
}

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

void OuterTime::add_names(BaseRecord base, double seconds) {
  if (!(seconds > 0) || base.rank == kSharedRank || nest_of(base) != nullptr) return;  // the outer call has it
  names_ += seconds, all_ += seconds, ranks_[base.rank] += seconds;
}

OuterTime::Sums OuterTime::sums() const {
  auto ranks = ranks_;
  Sums sums{shared_, all_};
  // A file's nest of all ranks comes before those of single ones: -1 is the lowest key.
  for (auto at = nests_.begin(); at != nests_.end();) {
    const std::uint64_t file = at->first.first;
    const bool is_shared = at->first.second == kSharedRank;
    double slowest = 0, slowest_shared = 0;
    for (; at != nests_.end() && at->first.first == file; ++at) {
      if (at->first.second == kSharedRank) {
        slowest_shared = at->second.slowest(), sums.all += at->second.all();
        continue;
      }
      slowest = std::max(slowest, at->second.slowest());
      if (!is_shared) ranks[at->first.second] += at->second.slowest(), sums.all += at->second.all();
    }
    if (is_shared) sums.slowest += std::max(slowest_shared, slowest);  // what ranks do alone is inside of what all do
  }
  double longest = 0;
  for (const auto& [rank, seconds] : ranks) longest = std::max(longest, seconds);
  sums.slowest += longest;
  return sums;
}

std::map<std::int64_t, double> OuterTime::library_seconds() const {
  std::map<std::int64_t, double> ranks;
  for (const auto& [key, nest] : nests_)
    if (nest.library.all > 0) ranks[key.second] += nest.library.all;
  return ranks;
}

std::vector<NestedTime> OuterTime::nested() const {
  std::vector<NestedTime> files;
  const auto add = [](Sums& sum, const Sums& one, bool is_shared) {
    sum.all += one.all;
    sum.slowest = is_shared ? sum.slowest + one.slowest : std::max(sum.slowest, one.slowest);
  };
  for (const auto& [key, nest] : nests_) {
    if (files.empty() || files.back().file != key.first) files.push_back({.file = key.first});
    const bool is_shared = key.second == kSharedRank;
    NestedTime& file = files.back();
    add(file.library, nest.library, is_shared), add(file.mpiio, nest.outer, is_shared);
    add(file.posix, nest.inner, is_shared);
  }
  return files;
}

}  // namespace trikal::analyze
