#include "serve/event_sums.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

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

storage::Value name_of(const storage::EventGroup& group, std::string_view by) {
  if (by == "rank") return group.rank;
  if (by == "process") return group.process;
  if (by == "thread") return fmt::format("{}/{}", group.pid, group.thread);
  return by == "file" ? group.file : by == "interface" ? group.interface : group.call;
}

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

struct Sum {
  std::uint64_t calls = 0, bytes = 0;
  double seconds = 0;
};

// In the order of time, then of the names.
struct Cell {
  std::int64_t begin = 0;
  std::size_t group = 0;
  Operation operation = Operation::kRead;
  auto operator<=>(const Cell&) const = default;
};

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
  std::map<Cell, Sum> sums;
  std::vector<storage::Value> names;
  std::map<storage::Value, std::size_t> numbers;
  for (const storage::EventGroup& group : *groups) {
    const auto [number, is_new] = numbers.try_emplace(name_of(group, by), names.size());
    if (is_new) names.push_back(number->first);
    Sum& sum = sums[{group.begin, number->second, kind_of_call(group.call)}];
    sum.calls += group.sum.calls, sum.bytes += group.sum.bytes;
    sum.seconds += static_cast<double>(group.sum.nanoseconds) / kNano;
  }
  storage::Table table{{std::string(by), "operation", "calls", "bytes", "seconds"}, {}};
  if (slices > 0) table.columns.insert(table.columns.begin(), "begin");
  for (const auto& [cell, sum] : sums) {
    storage::Row& row = table.rows.emplace_back();
    if (slices > 0) row.emplace_back(cell.begin);
    row.push_back(names[cell.group]);
    row.emplace_back(std::string(operation_name(cell.operation)));
    row.emplace_back(static_cast<std::int64_t>(sum.calls)), row.emplace_back(static_cast<std::int64_t>(sum.bytes));
    row.emplace_back(sum.seconds);
  }
  return table;
}

}  // namespace trikal::serve
