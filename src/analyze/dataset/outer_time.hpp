#pragma once
// How long ranks are in I/O. A call of HDF5 contains those of MPI-IO and POSIX that it makes on the same file: only the outer
// ones count, or a rank would be in I/O twice at a time.

#include <map>

#include "analyze/dataset/run.hpp"

namespace trikal::analyze {

class OuterTime {
 public:
  // All of libraries come first, then those of MPI-IO, then those of POSIX and STDIO.
  void add_library(BaseRecord file, NestedTime::Sums took);
  void add_outer(BaseRecord base, const Use& use);
  void add(BaseRecord base, const Use& use);
  // Seconds in calls on a file's name, which no record has.
  void add_names(BaseRecord base, double seconds);

  using Sums = NestedTime::Sums;
  // `slowest`: of the slowest rank on its own files, and of the slowest on each shared one.
  [[nodiscard]] Sums sums() const;
  [[nodiscard]] double names() const { return names_; }
  // By file, in the order of their ids.
  [[nodiscard]] std::vector<NestedTime> nested() const;
  // In libraries, by rank; -1: on files that all ranks share.
  [[nodiscard]] std::map<std::int64_t, double> library_seconds() const;

 private:
  using FileAndRank = std::pair<std::uint64_t, std::int64_t>;
  struct Nest {
    Sums library, outer, inner;
    [[nodiscard]] double slowest() const { return std::max({library.slowest, outer.slowest, inner.slowest}); }
    [[nodiscard]] double all() const { return std::max({library.all, outer.all, inner.all}); }
  };
  // Collective calls let a few ranks write for all: then POSIX has records of those, MPI-IO one for all.
  [[nodiscard]] Nest* nest_of(BaseRecord base);

  std::map<FileAndRank, Nest> nests_;
  std::unordered_map<std::int64_t, double, KeyedHash> ranks_;  // on files that MPI-IO does not know
  double shared_ = 0, all_ = 0, names_ = 0;
};

}  // namespace trikal::analyze
