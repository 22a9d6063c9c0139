#pragma once
// Rows of a timeline, so that no two accesses on one overlap: viewers drop or misplace those that do.

#include <cstdint>
#include <vector>

namespace trikal::report {

class Lanes {
 public:
  // Where an access goes: the first row of its thread that is free at `start`, a new one if there is none.
  // Past kMost rows, the one that is free earliest.
  std::size_t lane_for(std::uint64_t thread, std::int64_t start, std::int64_t end);
  // The next file begins.
  void clear() { lanes_.clear(); }
  [[nodiscard]] std::size_t size() const { return lanes_.size(); }
  [[nodiscard]] std::uint64_t thread_of(std::size_t lane) const { return lanes_[lane].thread; }

  static constexpr std::size_t kMost = 256;

 private:
  struct Lane {
    std::uint64_t thread;
    std::int64_t free_from;
  };
  std::vector<Lane> lanes_;
};

}  // namespace trikal::report
