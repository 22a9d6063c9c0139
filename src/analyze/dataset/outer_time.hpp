#pragma once
// How long ranks are in I/O. A call of MPI-IO contains those of POSIX that it makes on the same file: only the outer
// ones count, or a rank would be in I/O twice at a time.

#include <map>

#include "analyze/dataset/run.hpp"

namespace trikal::analyze {

class OuterTime {
 public:
  // All records of MPI-IO come first, then those of POSIX and STDIO.
  void add_outer(BaseRecord base, const Use& use);
  void add(BaseRecord base, const Use& use);

  struct Sums {
    double slowest = 0;  // of the slowest rank on its own files, and of the slowest on each shared one
    double all = 0;  // of all ranks together
  };
  [[nodiscard]] Sums sums() const;

 private:
  using FileAndRank = std::pair<std::uint64_t, std::int64_t>;
  struct Nest {
    Sums outer, inner;
  };
  // Collective calls let a few ranks write for all: then POSIX has records of those, MPI-IO one for all.
  [[nodiscard]] Nest* nest_of(BaseRecord base);

  std::map<FileAndRank, Nest> nests_;
  std::unordered_map<std::int64_t, double, KeyedHash> ranks_;  // on files that MPI-IO does not know
  double shared_ = 0, all_ = 0;
};

}  // namespace trikal::analyze
