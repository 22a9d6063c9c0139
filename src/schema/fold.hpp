#pragma once
// Every reduction, once. A FoldPlan makes of a module's table runs of slots with the same rule, so that
// combining two records is a handful of tight loops. Used by merge, totals and the MPI runtime: no heap,
// no exceptions, no calls outside this component.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "schema/module.hpp"

namespace trikal {

// How many runs of one rule a table has, at most one a counter. modules/list.cpp asserts that a plan has space.
[[nodiscard]] constexpr std::size_t fold_runs(std::span<const Counter> counters);

// Counters that are folded by themselves, next to each other as one run; the others go with some counter or need
// all ranks at once.
[[nodiscard]] constexpr bool folds_alone(Fold fold) {
  return fold <= Fold::kAny || fold == Fold::kTopValues || fold == Fold::kDistinct;
}

class FoldPlan {
 public:
  static constexpr std::size_t kMaxRuns = 64;

  // Ends the program if the table has more than kMaxRuns: a counter without its rule would be lost unseen.
  explicit FoldPlan(const ModuleSchema& schema) noexcept;

  // Ranks of one job that used the same file: `from` is folded into `into` (both fixed-size records).
  // First call prepare_shared on every rank's own record. Variances need Spread, below, and kDistinct the values
  // of all ranks: `into` keeps its own until the caller stores the count. The most common values of many ranks need more
  // than the four of each: rank_values.hpp folds those, and leaves them out here.
  enum class Tops : bool { kFour, kLeftOut };
  void combine_ranks(std::byte* into, const std::byte* from, Tops tops = Tops::kFour) const noexcept;

  // A rank's own record gets its fastest/slowest fields and rank -1.
  void prepare_shared(std::byte* record) const noexcept;

  // Any records added up for totals. `into` starts as all zero bytes; `first` tells the first one.
  void combine_totals(std::byte* into, const std::byte* from, bool first) const noexcept;

  // The values the variances are taken over: a rank's I/O time and bytes.
  [[nodiscard]] double rank_time(const std::byte* record) const noexcept;
  [[nodiscard]] std::int64_t rank_bytes(const std::byte* record) const noexcept;
  void set_variances(std::byte* record, double time, double bytes) const noexcept;

  [[nodiscard]] const ModuleSchema& schema() const noexcept { return *schema_; }

  // Where the four most common values of something lie in a record: their words, then their counts.
  struct Top {
    std::uint16_t at = 0;  // byte in the record
    std::uint16_t slots = 0;  // of the values
    std::uint16_t counter = 0;  // the first of them, as slots are counted
    [[nodiscard]] constexpr std::size_t words() const noexcept { return slots / 4U; }
  };
  static constexpr std::size_t kMaxTops = 4;
  [[nodiscard]] std::span<const Top> tops() const noexcept { return std::span(tops_).first(top_count_); }

 private:
  struct Run {
    Fold fold;
    bool real;
    std::uint16_t at;  // byte in the record
    std::uint16_t slots;
  };
  enum class Rule : std::uint8_t { kRanks, kTotals };

  void add_run(Fold fold, bool real, std::size_t at, std::size_t slots) noexcept;
  void fold_run(const Run& run, std::byte* into, const std::byte* from, Rule rule) const noexcept;
  void fold_common(const Run& run, std::byte* into, const std::byte* from) const noexcept;
  void fold_tops(const Run& run, std::byte* into, const std::byte* from, Rule rule) const noexcept;
  void fold_extremes(std::byte* into, const std::byte* from) const noexcept;
  void fold_followers(std::byte* into, const std::byte* from) const noexcept;
  void total_distinct(std::byte* into, const std::byte* from, bool first) const noexcept;
  void total_extremes(std::byte* into, const std::byte* from, bool first, bool same_id) const noexcept;

  static constexpr std::uint16_t kNowhere = 0xffff;

  const ModuleSchema* schema_;
  std::array<Run, kMaxRuns> runs_{};
  std::size_t run_count_ = 0;
  std::array<Top, kMaxTops> tops_{};
  std::size_t top_count_ = 0;
  bool counts_distinct_ = false;
  // Byte offsets of the counters that move together; kNowhere where the module has none.
  struct Extreme {
    std::uint16_t rank = kNowhere, bytes = kNowhere, time = kNowhere;
  } fastest_, slowest_;
  struct Follower {
    std::uint16_t follower = kNowhere, leader = kNowhere;
    bool real_leader = true;
  } read_, write_, put_, get_;
  std::uint16_t variance_time_ = kNowhere, variance_bytes_ = kNowhere;
};

constexpr std::size_t fold_runs(std::span<const Counter> counters) {
  std::size_t runs = 0;
  for (std::size_t i = 0; i < counters.size(); ++i) {
    const Fold fold = counters[i].fold;
    const bool joins =
        i > 0 && counters[i - 1].fold == fold && counters[i - 1].kind == counters[i].kind && fold != Fold::kTopValues;
    if (folds_alone(fold) && !joins) ++runs;
  }
  return runs;
}

// Count, sum and squared deviation of a set of values; two sets combine exactly. Population variance.
struct Spread {
  double count = 0, sum = 0, squares = 0;

  static Spread of(double value) noexcept { return {1, value, 0}; }
  void add(const Spread& other) noexcept;
  [[nodiscard]] double variance() const noexcept { return count > 0 ? squares / count : 0; }
};

}  // namespace trikal
