#pragma once
// Finds the records that all ranks have and makes one of each.

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/bytes.hpp"
#include "base/result.hpp"
#include "schema/fold.hpp"
#include "schema/module.hpp"
#include "schema/value_table.hpp"

namespace trikal::log {

// Whose records become one: those of files that all ranks used, or also of those that several did.
enum class SharedBy : bool { kAll, kSeveral };

// Which ranks have a record of each id, without remembering every rank.
class RankSurvey {
 public:
  explicit RankSurvey(std::int64_t nprocs, SharedBy shared_by = SharedBy::kAll)
      : nprocs_(nprocs), shared_by_(shared_by) {}

  // Records with unlike numbers of counts behind their heads are never shared.
  void count(const BaseRecord& record, std::size_t tail_bytes = 0);
  [[nodiscard]] std::uint64_t bytes() const { return entries_.size() * 64; }  // memory it takes, about

  // On all ranks; or on all but rank 0, which only hands out work; or on several, where that is enough.
  [[nodiscard]] bool shared(std::uint64_t id) const;
  // In the order of first appearance.
  [[nodiscard]] std::vector<std::uint64_t> shared_ids() const;
  [[nodiscard]] bool without_first_rank(std::uint64_t id) const;
  [[nodiscard]] std::uint64_t longest_tail() const;  // of the shared ones

 private:
  struct Entry {
    std::uint64_t id = 0;
    std::int64_t records = 0;
    std::uint64_t ranks = 0;  // the sum of a hash of each: equal sums, equal ranks
    std::size_t tail_bytes = 0;
    bool alike = true;  // all tails are as long
  };
  [[nodiscard]] const Entry* find(std::uint64_t id) const;
  [[nodiscard]] bool on_all(const Entry& entry) const;
  [[nodiscard]] bool on_all_but_first(const Entry& entry) const;
  [[nodiscard]] bool is_shared(const Entry& entry) const;

  [[nodiscard]] std::uint64_t all_ranks() const;

  std::int64_t nprocs_;
  SharedBy shared_by_;
  mutable std::int64_t summed_ = 0;
  mutable std::uint64_t all_ranks_ = 0;
  std::unordered_map<std::uint64_t, std::size_t> indexes_;
  std::vector<Entry> entries_;
};

// The shared records of one module, folded as ranks send them in.
class SharedFold {
 public:
  SharedFold(const ModuleSchema& schema, std::span<const std::uint64_t> ids);

  // A rank's own record, already on the common clock and with its final rank. False: not one of the ids.
  // Behind `record` there may be counts, as many in all records of an id. `values`: all values of which the record has
  // the four most common, where more than those are known.
  struct Values {
    std::size_t counter = 0;  // slot of the values
    ValueTable table;
  };
  bool add(const std::byte* record, Bytes tail = {}, std::span<const Values> values = {});
  [[nodiscard]] bool has(std::uint64_t id) const { return indexes_.contains(id); }
  // All of them, one behind the other, rank -1.
  [[nodiscard]] std::vector<std::byte> finish();

  [[nodiscard]] static std::uint64_t bytes_each(const ModuleSchema& schema, std::uint64_t tail_bytes) {
    return schema.head_bytes + 128 + 2 * tail_bytes;
  }

 private:
  struct State {
    bool begun = false;
    Spread time, bytes;
    std::vector<std::int64_t> tail;
  };

  class Table;
  void finish_distinct();
  void add_values(std::size_t index, std::byte* record, std::span<const Values> values);

  const ModuleSchema& schema_;
  FoldPlan plan_;
  std::unordered_map<std::uint64_t, std::size_t> indexes_;
  std::vector<State> states_;
  std::vector<std::byte> records_, scratch_;
  std::vector<std::size_t> distinct_at_;  // offsets of counters that count different values
  std::map<std::pair<std::size_t, std::size_t>, std::set<std::int64_t>> distinct_;
  // By file and counter, where more values came than a record has slots for.
  std::map<std::pair<std::size_t, std::size_t>, std::vector<std::int64_t>> values_;
};

}  // namespace trikal::log
