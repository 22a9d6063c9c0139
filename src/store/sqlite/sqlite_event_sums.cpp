// Sums over events: from what is kept beside chunks, and from the events where that does not answer.

#include "store/sqlite/chunk_sums.hpp"
#include "store/sqlite/event_names.hpp"
#include "store/sqlite/event_scan.hpp"
#include "store/sqlite/sqlite_store.hpp"

namespace trikal::storage {
namespace {

struct Chunk {
  std::int64_t id = 0, run = 0, process = 0, rank = 0, first = 0, last = 0;
};

class Summing {
 public:
  Summing(const EventQuery& query, const EventGrouping& by) : query_(query), by_(by), sums_(by) {
    to_ = query.to == INT64_MAX ? INT64_MAX : query.to - 1;
    needs_thread_ = query.thread || by.has(EventBy::kThread);
    needs_file_ = !query.file.empty() || by.has(EventBy::kFile) || by.has(EventBy::kSite);
  }

  // Which of the sums of a chunk may answer. Its events must all be wanted by their time.
  [[nodiscard]] bool may_use_times(const Chunk& chunk, stream::Nanoseconds unit) const {
    return !needs_file_ && is_inside(chunk) &&
           (is_one_slice(chunk) || (by_.width % unit == 0 && by_.origin % unit == 0));
  }
  [[nodiscard]] bool may_use_files(const Chunk& chunk) const {
    return !needs_thread_ && is_inside(chunk) && is_one_slice(chunk);
  }
  [[nodiscard]] bool needs_file() const { return needs_file_; }
  [[nodiscard]] EventSums& sums() { return sums_; }

 private:
  [[nodiscard]] bool is_inside(const Chunk& chunk) const { return chunk.first >= query_.from && chunk.last <= to_; }
  [[nodiscard]] bool is_one_slice(const Chunk& chunk) const {
    if (!by_.has(EventBy::kTime)) return true;
    const std::int64_t width = std::max<std::int64_t>(1, by_.width);
    return chunk.first >= by_.origin && (chunk.first - by_.origin) / width == (chunk.last - by_.origin) / width;
  }

  const EventQuery& query_;
  EventGrouping by_;
  EventSums sums_;
  std::int64_t to_ = 0;
  bool needs_thread_ = false, needs_file_ = false;
};

// The event that stands for all of a sum.
StoredEvent event_of(const Chunk& chunk, const ChunkSums& sums, const ChunkSum& row, EventNames& names) {
  const auto& operation = names.operation(chunk.process, row.operation);
  StoredEvent event{.run_row = chunk.run,
                    .process_row = chunk.process,
                    .pid = names.process(chunk.process).pid,
                    .rank = chunk.rank,
                    .host = {},
                    .command = {},
                    .time = std::max(chunk.first, row.first),
                    .interface = operation.interface,
                    .operation = operation.word,
                    .file_name = {},
                    .object = {}};
  if (sums.unit > 0) return event.thread = static_cast<std::uint32_t>(row.second), event;
  const EventNames::File& file = names.file(row.first);
  const std::uint64_t object = row.second >> stream::kObjectShift;
  event.time = chunk.first, event.file = file.key, event.file_name = file.name;
  event.address = row.second - (object << stream::kObjectShift);
  if (row.second != 0) event.object = names.object(chunk.process, as_signed(object));
  return event;
}

}  // namespace

Result<std::vector<EventGroup>> SqliteStore::event_sums(const EventQuery& query, const EventGrouping& grouping) {
  Summing summing(query, grouping);
  if (query.to == INT64_MIN) return summing.sums().take();
  EventNames names(database_.get());
  const EventSelection selection = selection_of(query);
  Statement find(database_.get(),
                 "SELECT id, run, process, rank, first, last, times, files FROM event_chunk LEFT JOIN event_sum ON "
                 "event_sum.chunk = event_chunk.id WHERE " +
                     chunk_conditions(selection));
  ChunkSums kept;
  int step = find.step();
  for (; step == SQLITE_ROW; step = find.step()) {
    const Chunk chunk{find.number(0), find.number(1), find.number(2), find.number(3), find.number(4), find.number(5)};
    const bool by_file = summing.needs_file();
    const bool is_kept = read_chunk_sums(find.bytes(by_file ? 7 : 6), kept) && (kept.unit == 0) == by_file;
    if (is_kept && (by_file ? summing.may_use_files(chunk) : summing.may_use_times(chunk, kept.unit))) {
      for (const ChunkSum& row : kept.rows) {
        const StoredEvent event = event_of(chunk, kept, row, names);
        if (is_wanted(query, event)) summing.sums().add(event, row.sum);
      }
      continue;
    }
    EventSelection one = selection;
    one.chunk = chunk.id;
    const auto add = [&](const StoredEvent& event) { return summing.sums().add(event), true; };
    if (const Status read = scan_events(one, query, names, add); !read) return read.error();
  }
  if (step != SQLITE_DONE) return failure("cannot read the store");
  return summing.sums().take();
}

}  // namespace trikal::storage
