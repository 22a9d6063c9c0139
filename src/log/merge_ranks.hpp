#pragma once
// Records of ranks that are more than one process: one for each rank and file.

#include <map>
#include <vector>

#include "log/merge_fold.hpp"

namespace trikal::log {

class RankRecords {
 public:
  using Values = SharedFold::Values;

  explicit RankRecords(const ModuleSchema& schema) : schema_(schema), plan_(schema) {}

  // As SharedFold takes it.
  void add(const std::byte* record, Bytes tail = {}, std::span<const Values> values = {});
  // use(head, tail, values), ascending by rank and id.
  template <class Use>
  void for_each(const Use& use) const {
    for (const auto& [key, entry] : entries_) {
      const Bytes record(entry.record);
      use(record.first(schema_.head_bytes), record.subspan(schema_.head_bytes), values_of(entry));
    }
  }

 private:
  struct Key {
    std::int64_t rank;
    std::uint64_t id;
    std::size_t tail_bytes;  // unlike numbers of counts do not add up
    auto operator<=>(const Key&) const = default;
  };
  using Rows = std::vector<std::int64_t>;
  struct Entry {
    std::vector<std::byte> record;
    std::map<std::size_t, Rows> rows;  // by the plan's counters; none: the record's slots have all values
  };
  [[nodiscard]] std::vector<Values> values_of(const Entry& entry) const;
  [[nodiscard]] Rows rows_in(std::size_t top, const std::byte* record, std::span<const Values> values) const;
  void add_values(Entry& entry, const std::byte* record, std::span<const Values> values) const;

  const ModuleSchema& schema_;
  FoldPlan plan_;
  std::map<Key, Entry> entries_;
};

}  // namespace trikal::log
