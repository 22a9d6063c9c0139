#pragma once
// Every reduction, once. A FoldPlan turns a module's table into runs of slots with the same rule, so that
// combining two records is a handful of tight loops. Used by merge, totals and the MPI runtime: no heap,
// no exceptions, no calls outside this room.

#include <array>
#include <cstddef>
#include <cstdint>

#include "schema/module.hpp"

namespace trikal {

class FoldPlan {
 public:
  explicit FoldPlan(const ModuleSchema& schema) noexcept;

  // Ranks of one job that used the same file: `from` is folded into `into` (both fixed-size records).
  // First call prepare_shared on every rank's own record; variance needs Spread, below.
  void combine_ranks(std::byte* into, const std::byte* from) const noexcept;

  // A rank's own record gets its fastest/slowest fields and rank -1.
  void prepare_shared(std::byte* record) const noexcept;

  // Any records added up for totals. `into` starts as all zero bytes; `first` tells the first one.
  void combine_totals(std::byte* into, const std::byte* from, bool first) const noexcept;

  // The values the variances are taken over: a rank's I/O time and bytes.
  [[nodiscard]] double rank_time(const std::byte* record) const noexcept;
  [[nodiscard]] std::int64_t rank_bytes(const std::byte* record) const noexcept;
  void set_variances(std::byte* record, double time, double bytes) const noexcept;

  [[nodiscard]] const ModuleSchema& schema() const noexcept { return *schema_; }

 private:
  struct Run {
    Fold fold;
    bool real;
    std::uint16_t at;     // byte in the record
    std::uint16_t slots;
  };
  enum class Rule : std::uint8_t { kRanks, kTotals };

  void add_run(Fold fold, bool real, std::size_t at, std::size_t slots) noexcept;
  void fold_run(const Run& run, std::byte* into, const std::byte* from, Rule rule) const noexcept;
  void fold_common(const Run& run, std::byte* into, const std::byte* from) const noexcept;
  void fold_tops(const Run& run, std::byte* into, const std::byte* from, Rule rule) const noexcept;
  void fold_extremes(std::byte* into, const std::byte* from) const noexcept;
  void fold_followers(std::byte* into, const std::byte* from) const noexcept;
  void total_extremes(std::byte* into, const std::byte* from, bool first, bool same_id) const noexcept;

  static constexpr std::size_t kMaxRuns = 48;
  static constexpr std::uint16_t kNowhere = 0xffff;

  const ModuleSchema* schema_;
  std::array<Run, kMaxRuns> runs_{};
  std::size_t run_count_ = 0;
  // Byte places of the counters that move together; kNowhere where the module has none.
  struct Extreme {
    std::uint16_t rank = kNowhere, bytes = kNowhere, time = kNowhere;
  } fastest_, slowest_;
  struct Follower {
    std::uint16_t follower = kNowhere, leader = kNowhere;
    bool real_leader = true;
  } read_, write_, put_, get_;
  std::uint16_t variance_time_ = kNowhere, variance_bytes_ = kNowhere;
};

// Count, sum and squared deviation of a set of values; two sets combine exactly. Population variance.
struct Spread {
  double count = 0, sum = 0, squares = 0;

  static Spread of(double value) noexcept { return {1, value, 0}; }
  void add(const Spread& other) noexcept;
  [[nodiscard]] double variance() const noexcept { return count > 0 ? squares / count : 0; }
};

}  // namespace trikal
