#include "serve/event_sums.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace trikal::serve {
namespace {

constexpr double kNano = 1e9;

storage::EventBy group_of(std::string_view by) {
  using storage::EventBy;
  constexpr std::pair<std::string_view, EventBy> kGroups[] = {
      {"rank", EventBy::kRank}, {"process", EventBy::kProcess},     {"thread", EventBy::kThread},
      {"file", EventBy::kFile}, {"interface", EventBy::kInterface}, {"call", EventBy::kCall}};
  return std::ranges::find(kGroups, by, &std::pair<std::string_view, EventBy>::first)->second;
}

storage::Value name_of(const storage::EventGroup& group, storage::EventBy by) {
  using storage::EventBy;
  if (by == EventBy::kRank) return group.rank;
  if (by == EventBy::kProcess) return group.process;
  if (by == EventBy::kThread) return fmt::format("{}/{}", group.pid, group.thread);
  return by == EventBy::kFile ? group.file : by == EventBy::kInterface ? group.interface : group.call;
}

// Names in the order in which they come.
class Names {
 public:
  explicit Names(storage::EventBy by) : by_(by) {}

  std::size_t number_of(const storage::EventGroup& group) {
    using storage::EventBy;
    // Texts of threads are made once for each: there may be many thousand sums of few threads.
    if (by_ != EventBy::kThread) return number_of(name_of(group, by_));
    const auto [thread, is_new] = threads_.try_emplace({group.pid, group.thread}, 0);
    if (is_new) thread->second = number_of(name_of(group, by_));
    return thread->second;
  }
  [[nodiscard]] const storage::Value& name(std::size_t number) const { return names_[number]; }

 private:
  std::size_t number_of(storage::Value name) {
    const auto [number, is_new] = numbers_.try_emplace(std::move(name), names_.size());
    if (is_new) names_.push_back(number->first);
    return number->second;
  }

  storage::EventBy by_;
  std::vector<storage::Value> names_;
  std::map<storage::Value, std::size_t> numbers_;
  std::map<std::pair<std::int64_t, std::uint32_t>, std::size_t> threads_;
};

// At least so long that there are hardly more slices than asked for. Those of a millisecond and longer are such as a store keeps
// sums by, and the first one begins where one of these does: it may begin before the query's time.
storage::EventGrouping slices_of(const storage::EventQuery& query, std::int64_t slices) {
  constexpr std::int64_t kMillisecond = 1'000'000, kLongest = kMillisecond << 40;
  const std::int64_t time = query.to - query.from;
  storage::EventGrouping grouping{storage::EventBy::kTime};
  grouping.width = std::max<std::int64_t>(1, (time + slices - 1) / slices);
  std::int64_t unit = 1;
  if (grouping.width >= kMillisecond) {
    for (unit = kMillisecond; unit < grouping.width && unit < kLongest;) unit *= 2;
    grouping.width = std::max(unit, grouping.width);
  }
  grouping.origin = query.from - (query.from % unit + unit) % unit;
  return grouping;
}

struct Cell {
  std::int64_t begin = 0;
  std::size_t group = 0;
  Operation operation = Operation::kRead;
  std::uint64_t calls = 0, bytes = 0;
  double seconds = 0;

  [[nodiscard]] auto key() const { return std::tie(begin, group, operation); }
};

// In the order of time, then of the names; each cell once.
void add_up(std::vector<Cell>& cells) {
  std::ranges::stable_sort(cells, {}, &Cell::key);
  std::size_t kept = 0;
  for (const Cell& cell : cells) {
    if (kept == 0 || cells[kept - 1].key() != cell.key()) {
      cells[kept++] = cell;
      continue;
    }
    Cell& to = cells[kept - 1];
    to.calls += cell.calls, to.bytes += cell.bytes, to.seconds += cell.seconds;
  }
  cells.resize(kept);
}

storage::Table table_of(const std::vector<Cell>& cells, const Names& names, std::string_view by, bool has_slices) {
  storage::Table table{{std::string(by), "operation", "calls", "bytes", "seconds"}, {}};
  if (has_slices) table.columns.insert(table.columns.begin(), "begin");
  table.rows.reserve(cells.size());
  for (const Cell& cell : cells) {
    storage::Row& row = table.rows.emplace_back();
    row.reserve(table.columns.size());
    if (has_slices) row.emplace_back(cell.begin);
    row.push_back(names.name(cell.group));
    row.emplace_back(std::string(operation_name(cell.operation)));
    row.emplace_back(static_cast<std::int64_t>(cell.calls)), row.emplace_back(static_cast<std::int64_t>(cell.bytes));
    row.emplace_back(cell.seconds);
  }
  return table;
}

}  // namespace

Operation kind_of_call(std::string_view call) {
  if (call.find("read") != std::string_view::npos) return Operation::kRead;
  return call.find("write") != std::string_view::npos ? Operation::kWrite : Operation::kMetadata;
}

Result<storage::Table> event_sums(storage::Store& store, const storage::EventQuery& query, std::string_view by,
                                  std::size_t slices, std::int64_t* width) {
  storage::EventGrouping grouping =
      slices == 0 ? storage::EventGrouping() : slices_of(query, static_cast<std::int64_t>(slices));
  grouping.add(group_of(by)), grouping.add(storage::EventBy::kCall);
  *width = slices == 0 ? 0 : grouping.width;
  const auto groups = store.event_sums(query, grouping);
  if (!groups) return groups.error();
  std::vector<Cell> cells;
  cells.reserve(groups->size());
  Names names(group_of(by));
  for (const storage::EventGroup& group : *groups)
    cells.push_back({group.begin, names.number_of(group), kind_of_call(group.call), group.sum.calls, group.sum.bytes,
                     static_cast<double>(group.sum.nanoseconds) / kNano});
  add_up(cells);
  return table_of(cells, names, by, slices > 0);
}

}  // namespace trikal::serve
