#include "serve/event_panels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <map>

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

// Counts by size: eight buckets to each power of two.
class Histogram {
 public:
  void add(std::int64_t value) {
    const auto size = static_cast<std::uint64_t>(std::max<std::int64_t>(0, value));
    ++buckets_[bucket_of(size)], ++count_, most_ = std::max(most_, size);
  }
  // The middle of the bucket that it is in.
  [[nodiscard]] std::int64_t percentile(double share) const {
    const auto wanted = static_cast<std::uint64_t>(share * static_cast<double>(count_));
    std::uint64_t seen = 0;
    for (std::size_t i = 0; i < buckets_.size(); ++i) {
      seen += buckets_[i];
      if (seen > wanted) return static_cast<std::int64_t>(std::min(most_, (least_of(i) + least_of(i + 1)) / 2));
    }
    return static_cast<std::int64_t>(most_);
  }
  [[nodiscard]] std::int64_t most() const { return static_cast<std::int64_t>(most_); }
  // Of whole powers of two: (least, count) for those that have any.
  [[nodiscard]] std::map<std::int64_t, std::int64_t> octaves() const {
    std::map<std::int64_t, std::int64_t> found;
    for (std::size_t i = 0; i < buckets_.size(); ++i) {
      if (buckets_[i] > 0)
        found[static_cast<std::int64_t>(std::bit_floor(least_of(i)))] += static_cast<std::int64_t>(buckets_[i]);
    }
    return found;
  }

 private:
  static constexpr unsigned kParts = 3;  // 2^3 buckets an octave
  static constexpr std::size_t kBuckets = 64U << kParts;
  static std::size_t bucket_of(std::uint64_t size) {
    if (size < 1U << kParts) return static_cast<std::size_t>(size);
    const auto shift = static_cast<unsigned>(std::bit_width(size)) - kParts - 1;
    return ((std::size_t{shift} + 1) << kParts) + static_cast<std::size_t>((size >> shift) - (1U << kParts));
  }
  static std::uint64_t least_of(std::size_t bucket) {
    if (bucket < 1U << kParts) return bucket;
    const std::size_t shift = (bucket >> kParts) - 1;
    return std::uint64_t{(1U << kParts) + (bucket & ((1U << kParts) - 1))} << shift;
  }

  std::array<std::uint64_t, kBuckets> buckets_{};
  std::uint64_t count_ = 0, most_ = 0;
};

struct Sizes {
  Histogram durations, lengths;
};

void put_percentiles(storage::Table& table, const std::string& operation, const Histogram& durations) {
  constexpr std::pair<const char*, double> kShares[] = {{"p50", 0.5}, {"p90", 0.9}, {"p99", 0.99}};
  for (const auto& [name, share] : kShares)
    table.rows.push_back({operation, name, durations.percentile(share), std::int64_t{0}});
  table.rows.push_back({operation, "max", durations.most(), std::int64_t{0}});
}

void put(storage::Table& table, const std::string& operation, const Sizes& sizes) {
  for (const auto& [least, count] : sizes.durations.octaves())
    table.rows.push_back({operation, "duration", least, count});
  for (const auto& [least, count] : sizes.lengths.octaves()) table.rows.push_back({operation, "length", least, count});
  put_percentiles(table, operation, sizes.durations);
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
  const Status read = store.events(query, [&](const storage::StoredEvent& event) {
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
  std::map<std::string, Sizes, std::less<>> found;
  Histogram all;
  const Status read = store.events(query, [&](const storage::StoredEvent& event) {
    auto at = found.find(event.operation);
    if (at == found.end()) at = found.try_emplace(std::string(event.operation)).first;
    at->second.durations.add(event.duration), all.add(event.duration);
    if (event.length > 0) at->second.lengths.add(event.length);
    return true;
  });
  if (!read) return read.error();
  storage::Table table{{"operation", "measure", "least", "count"}, {}};
  for (const auto& [operation, sizes] : found) put(table, operation, sizes);
  if (!found.empty()) put_percentiles(table, "", all);
  return table;
}

}  // namespace trikal::serve
