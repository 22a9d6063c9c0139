// Sums over events: from what is kept beside chunks, and from the events where that does not answer.

#include <fmt/format.h>

#include <algorithm>

#include "store/sqlite/chunk_sums.hpp"
#include "store/sqlite/event_names.hpp"
#include "store/sqlite/event_scan.hpp"
#include "store/sqlite/sqlite_store.hpp"

namespace trikal::storage {
namespace {

using stream::EventColumn;

struct Chunk {
  std::int64_t id = 0, run = 0, process = 0, rank = 0, first = 0, last = 0;
};

// What a query and its groups need to know of each event, and so which sums of a chunk may answer.
class Need {
 public:
  Need(const EventQuery& query, const EventGrouping& by) : query_(query), by_(by) {
    to_ = query.to == INT64_MAX ? INT64_MAX : query.to - 1;
    thread_ = query.thread || by.has(EventBy::kThread);
    file_ = !query.file.empty() || by.has(EventBy::kFile) || by.has(EventBy::kSite);
    kind_ = file_ ? ChunkSumsBy::kFile : by.has(EventBy::kTime) ? ChunkSumsBy::kTime : ChunkSumsBy::kCall;
  }

  [[nodiscard]] ChunkSumsBy kind() const { return kind_; }
  // In tables beside the chunks: sums that may answer, the fewest first.
  [[nodiscard]] const char* columns_of_sums() const {
    if (kind_ == ChunkSumsBy::kTime) return "event_sum_long.times, event_sum.times";
    return kind_ == ChunkSumsBy::kFile ? "files, NULL" : "calls, NULL";
  }
  // Whether all events of a chunk are wanted by their time: else sums cannot answer.
  [[nodiscard]] bool wants_all(const Chunk& chunk) const { return chunk.first >= query_.from && chunk.last <= to_; }
  // Whether the sums of such a chunk may answer.
  [[nodiscard]] bool may_use(const Chunk& chunk, stream::Nanoseconds unit) const {
    if (kind_ == ChunkSumsBy::kCall) return true;
    if (kind_ == ChunkSumsBy::kFile) return !thread_ && is_one_slice(chunk);
    return !by_.sizes && (is_one_slice(chunk) || (by_.width % unit == 0 && by_.origin % unit == 0));
  }

  [[nodiscard]] std::uint32_t columns() const {
    return bit_of(EventColumn::kBegin) | bit_of(EventColumn::kDuration) | bit_of(EventColumn::kLength) |
           bit_of(EventColumn::kOperation) | (thread_ ? bit_of(EventColumn::kThread) : 0) |
           (file_ ? bit_of(EventColumn::kFile) | bit_of(EventColumn::kCallSite) : 0);
  }
  [[nodiscard]] const EventGrouping& by() const { return by_; }

 private:
  [[nodiscard]] bool is_one_slice(const Chunk& chunk) const {
    if (!by_.has(EventBy::kTime)) return true;
    const std::int64_t width = std::max<std::int64_t>(1, by_.width);
    return chunk.first >= by_.origin && (chunk.first - by_.origin) / width == (chunk.last - by_.origin) / width;
  }

  const EventQuery& query_;
  const EventGrouping& by_;
  std::int64_t to_ = 0;
  bool thread_ = false, file_ = false;
  ChunkSumsBy kind_;
};

// Sums of a chunk as its events have them: made for one question, and so fine as that needs them. A group may have several:
// those that come soon after each other are one.
class OwnSums {
 public:
  OwnSums(const Need& need, const EventScan& scan, std::vector<ChunkSum>& rows)
      : need_(need), scan_(scan), rows_(rows) {
    rows_.clear();
  }

  void add() {
    ChunkSum one = of_event();
    std::uint32_t& last = last_[slot_of(one)];
    if (last == 0 || !is_same(one, rows_[last - 1])) {
      rows_.push_back(std::move(one));
      last = static_cast<std::uint32_t>(rows_.size());
    }
    rows_[last - 1].sum.add(scan_.value(EventColumn::kDuration), scan_.value(EventColumn::kLength), need_.by().sizes);
  }

 private:
  static constexpr std::size_t kLast = 256;

  static bool is_same(const ChunkSum& a, const ChunkSum& b) {
    return a.time == b.time && a.thread == b.thread && a.operation == b.operation && a.file == b.file &&
           a.call_site == b.call_site;
  }
  // Not by time: what comes later is not asked for again.
  static std::size_t slot_of(const ChunkSum& row) {
    return (row.operation + row.thread * 16 + (row.file ^ row.call_site) * 5) % kLast;
  }
  [[nodiscard]] ChunkSum of_event() const {
    const auto value = [this](EventColumn column) { return scan_.has(column) ? scan_.value(column) : 0; };
    ChunkSum row;
    if (need_.by().has(EventBy::kTime)) {
      const std::int64_t width = std::max<std::int64_t>(1, need_.by().width);
      const std::int64_t distance = value(EventColumn::kBegin) - need_.by().origin;
      row.time = value(EventColumn::kBegin) - (distance % width + width) % width;
    }
    row.thread = static_cast<std::uint32_t>(value(EventColumn::kThread));
    row.file = as_unsigned(value(EventColumn::kFile)), row.call_site = as_unsigned(value(EventColumn::kCallSite));
    row.operation = static_cast<std::uint32_t>(value(EventColumn::kOperation));
    return row;
  }

  const Need& need_;
  const EventScan& scan_;
  std::vector<ChunkSum>& rows_;
  std::uint32_t last_[kLast] = {};  // by slot: one more than the number of a row
};

// The event that stands for all of a sum.
StoredEvent event_of(const Chunk& chunk, const ChunkSum& row, bool has_file, EventNames& names) {
  const auto& operation = names.operation(chunk.process, row.operation);
  StoredEvent event{.run_row = chunk.run,
                    .process_row = chunk.process,
                    .pid = names.process(chunk.process).pid,
                    .rank = chunk.rank,
                    .host = {},
                    .command = {},
                    .thread = row.thread,
                    .time = row.time,
                    .interface = operation.interface,
                    .operation = operation.word,
                    .file_name = {},
                    .object = {}};
  if (!has_file) return event;
  const EventNames::File& file = names.file(as_signed(row.file));
  const std::uint64_t object = row.call_site >> stream::kObjectShift;
  event.file = file.key, event.file_name = file.name;
  event.address = row.call_site - (object << stream::kObjectShift);
  if (row.call_site != 0) event.object = names.object(chunk.process, as_signed(object));
  return event;
}

}  // namespace

Result<std::vector<EventGroup>> SqliteStore::event_sums(const EventQuery& query, const EventGrouping& grouping) {
  EventSums sums(grouping);
  if (query.to == INT64_MIN) return sums.take();
  const Need need(query, grouping);
  EventNames names(database_.get());
  const EventSelection selection = selection_of(query);
  Statement find(
      database_.get(),
      fmt::format(
          "SELECT id, run, process, rank, first, last, {} FROM event_chunk LEFT JOIN event_sum ON "
          "event_sum.chunk = event_chunk.id {} WHERE {}",
          need.columns_of_sums(),
          need.kind() == ChunkSumsBy::kTime ? "LEFT JOIN event_sum_long ON event_sum_long.chunk = event_chunk.id" : "",
          chunk_conditions(selection)));
  EventScan scan(database_.get());
  ChunkSums kept;
  int step = find.step();
  for (; step == SQLITE_ROW; step = find.step()) {
    const Chunk chunk{find.number(0), find.number(1), find.number(2), find.number(3), find.number(4), find.number(5)};
    const auto is_answer = [&](int column) {
      return read_chunk_sums(find.bytes(column), need.kind(), kept) && need.may_use(chunk, kept.unit);
    };
    const bool is_kept = need.wants_all(chunk) && (is_answer(6) || (need.kind() == ChunkSumsBy::kTime && is_answer(7)));
    if (is_kept) {
      // A sum without a time, and one of a unit that began before the chunk, is of when the chunk began.
      for (ChunkSum& row : kept.rows) row.time = std::max(chunk.first, row.time);
    } else {
      EventSelection one = selection;
      one.chunk = chunk.id;
      OwnSums own(need, scan, kept.rows);
      if (const Status read = read_events(scan, one, need.columns(), [&own] { own.add(); }); !read) return read.error();
    }
    for (const ChunkSum& row : kept.rows) {
      const StoredEvent event = event_of(chunk, row, need.kind() == ChunkSumsBy::kFile, names);
      if (is_wanted(query, event)) sums.add(event, row.sum);
    }
  }
  if (step != SQLITE_DONE) return failure("cannot read the store");
  return sums.take();
}

}  // namespace trikal::storage
