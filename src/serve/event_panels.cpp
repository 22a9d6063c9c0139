#include "serve/event_panels.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace trikal::serve {
namespace {

storage::Row row_of(const storage::StoredEvent& event) {
  return {event.time,
          event.duration,
          event.rank,
          event.pid,
          std::int64_t{event.thread},
          std::string(event.interface),
          std::string(event.operation),
          std::string(event.file_name),
          event.offset,
          event.length,
          event.object.empty() ? "" : fmt::format("{}+{:#x}", event.object, event.address)};
}

std::int64_t time_of(const storage::Row& row) { return std::get<std::int64_t>(row.front()); }

// What rows are chosen and sorted by: the least come first.
struct Order {
  EventOrder by = EventOrder::kTime;
  static std::int64_t duration_of(const storage::Row& row) { return std::get<std::int64_t>(row[1]); }
  [[nodiscard]] std::int64_t key(std::int64_t time, std::int64_t duration) const {
    return by == EventOrder::kTime ? time : -std::max<std::int64_t>(0, duration);
  }
  [[nodiscard]] std::int64_t key(const storage::Row& row) const { return key(time_of(row), duration_of(row)); }
  bool operator()(const storage::Row& a, const storage::Row& b) const { return key(a) < key(b); }
};

void put_percentiles(storage::Table& table, const std::string& operation, const storage::EventSum& sum) {
  constexpr std::pair<const char*, double> kShares[] = {{"p50", 0.5}, {"p90", 0.9}, {"p99", 0.99}};
  for (const auto& [name, share] : kShares)
    table.rows.push_back({operation, name, std::min(sum.longest, sum.durations.percentile(share)), std::int64_t{0}});
  table.rows.push_back({operation, "max", sum.longest, std::int64_t{0}});
}

void put(storage::Table& table, const std::string& operation, const storage::EventSum& sum) {
  for (const auto& [least, count] : sum.durations.octaves())
    table.rows.push_back({operation, "duration", least, count});
  for (const auto& [least, count] : sum.lengths.octaves()) table.rows.push_back({operation, "length", least, count});
  put_percentiles(table, operation, sum);
}

}  // namespace

Result<storage::EventQuery> event_query(storage::Panels& panels, const EventRequest& asked) {
  storage::EventQuery query;
  query.run = panels.run_key(asked.run);
  if (!query.run) return Error{.code = ErrorCode::kMissing, .what = "there is no such run"};
  if (asked.process) {
    query.process = panels.process_key(*asked.process);
    if (!query.process) return Error{.code = ErrorCode::kMissing, .what = "there is no such process"};
  }
  const stream::Nanoseconds since = asked.since * stream::kSecond;
  query.from = since + asked.begin;
  if (asked.end) query.to = since + *asked.end;
  query.rank = asked.rank;
  if (asked.thread) query.thread = static_cast<std::uint32_t>(*asked.thread);
  query.file = asked.file, query.interface = asked.interface, query.operation = asked.call;
  return query;
}

void count_from(storage::Table& events, std::int64_t second) {
  for (storage::Row& row : events.rows) row.front() = time_of(row) - second * stream::kSecond;
}

Result<storage::Table> event_rows(storage::Store& store, const storage::EventQuery& query, std::size_t most,
                                  EventOrder order) {
  storage::Table table{
      {"time", "duration", "rank", "pid", "thread", "interface", "operation", "file", "offset", "length", "site"}, {}};
  const Order before{order};
  std::vector<storage::Row>& rows = table.rows;  // a heap with the last on top
  storage::EventQuery ordered = query;
  if (order == EventOrder::kDuration) ordered.order = storage::EventQuery::Order::kDuration;
  const Status read = store.events(ordered, [&](const storage::StoredEvent& event) {
    // Chunks come in this order, too: none of the rest is better.
    if (rows.size() == most && event.bound != INT64_MIN &&
        before.key(event.bound, event.bound) > before.key(rows.front()))
      return false;
    if (rows.size() == most && before.key(event.time, event.duration) >= before.key(rows.front())) return true;
    rows.push_back(row_of(event));
    std::ranges::push_heap(rows, before);
    if (rows.size() > most) std::ranges::pop_heap(rows, before), rows.pop_back();
    return true;
  });
  if (!read) return read.error();
  std::ranges::sort_heap(rows, before);
  return table;
}

Result<storage::Table> event_distribution(storage::Store& store, const storage::EventQuery& query) {
  storage::EventGrouping by_call{storage::EventBy::kCall};
  by_call.sizes = true;
  const auto groups = store.event_sums(query, by_call);
  if (!groups) return groups.error();
  storage::Table table{{"operation", "measure", "least", "count"}, {}};
  storage::EventSum all;
  for (const storage::EventGroup& group : *groups) put(table, group.call, group.sum), all.add(group.sum);
  if (!groups->empty()) put_percentiles(table, "", all);
  return table;
}

}  // namespace trikal::serve
