// How events get into the store. They come in small pieces, a few milliseconds each, which must be safe before the rings they are
// from are used again; so a piece is stored as it comes, and pieces become a compressed chunk when there are enough.

#include <algorithm>
#include <numeric>

#include "base/utf8.hpp"
#include "store/sqlite/chunk_sums.hpp"
#include "store/sqlite/event_chunk.hpp"
#include "store/sqlite/sqlite_store.hpp"

namespace trikal::storage {
namespace {

using stream::EventDetails;
using stream::EventRecord;

constexpr std::size_t kMostPieces = 256;  // of a process that tells little at a time

constexpr const char* kInsert =
    "INSERT INTO event_chunk (run, process, rank, first, last, count, packing, data) VALUES (?,?,?,?,?,?,?,?)";

std::string valid_text(const std::string& bytes) {
  std::string text;
  append_utf8(text, bytes);
  return text;
}

// Those of a thread side by side: differences are small then.
void sort_by_thread(std::vector<EventRecord>& events, std::vector<EventDetails>& details) {
  if (details.empty()) return void(std::ranges::stable_sort(events, {}, &EventRecord::thread));
  std::vector<std::size_t> order(events.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t at) { return events[at].thread; });
  const auto put_in_order = [&order](auto& values) {
    auto sorted = values;
    for (std::size_t i = 0; i < order.size(); ++i) sorted[i] = values[order[i]];
    values = std::move(sorted);
  };
  put_in_order(events), put_in_order(details);
}

template <class T>
std::span<const T> part_of(const std::vector<T>& all, std::size_t first, std::size_t count) {
  return all.empty() ? std::span<const T>() : std::span(all).subspan(first, count);
}

}  // namespace

bool SqliteStore::put_chunks(const Process& process, const std::vector<EventRecord>& events,
                             const std::vector<EventDetails>& details, Packing packing) {
  bool ok = true;
  for (std::size_t first = 0; ok && first < events.size(); first += kMostInChunk) {
    const auto some = part_of(events, first, std::min(kMostInChunk, events.size() - first));
    const auto data = make_chunk(some, part_of(details, first, some.size()), packing);
    const auto [least, most] = std::ranges::minmax(some, {}, &EventRecord::begin);
    // A process whose description has not come yet may know its rank already.
    const std::int64_t rank = process.rank >= 0 ? process.rank : std::int64_t{some.back().rank};
    ok =
        data.ok() && prepared(kInsert)
                         .with(process.run, process.id, rank, least.begin, most.begin,
                               static_cast<std::int64_t>(some.size()), static_cast<std::int64_t>(packing), Bytes(*data))
                         .run();
    if (ok && packing == Packing::kDeflate) ok = put_sums(sqlite3_last_insert_rowid(database_.get()), some);
  }
  return ok;
}

bool SqliteStore::put_sums(std::int64_t chunk, std::span<const EventRecord> events) {
  const auto times = make_chunk_sums(events, ChunkSumsBy::kTime), files = make_chunk_sums(events, ChunkSumsBy::kFile),
             calls = make_chunk_sums(events, ChunkSumsBy::kCall),
             long_times = make_chunk_sums(events, ChunkSumsBy::kLongTime);
  const std::int64_t longest = std::ranges::max(events, {}, &EventRecord::duration).duration;
  return prepared("INSERT INTO event_sum VALUES (?, ?, ?, ?, ?)")
             .with(chunk, longest, Bytes(times), Bytes(files), Bytes(calls))
             .run() &&
         prepared("INSERT INTO event_sum_long VALUES (?, ?)").with(chunk, Bytes(long_times)).run();
}

bool SqliteStore::put_event_list(const stream::EventList& list) {
  const Process process = process_of(list.process, list.run);
  if (process.id == 0) return false;
  if (list.events.empty()) return true;
  if (!list.details.empty() && list.details.size() != list.events.size()) return false;
  std::vector<EventRecord> events = list.events;
  std::uint64_t last_key = 0;
  std::int64_t last_file = 0;
  for (EventRecord& event : events) {
    if (last_file == 0 || event.file != last_key) last_key = event.file, last_file = file_of(last_key);
    if (last_file == 0) return false;
    event.file = as_unsigned(last_file);
  }
  Pieces& pieces = pieces_of(process.id);
  // What fills a chunk alone is compressed at once, behind what came before it.
  if (events.size() >= kMostInChunk)
    return (pieces.number == 0 || compress_pieces(process)) &&
           put_chunks(process, events, list.details, Packing::kDeflate);
  pieces.events += events.size(), ++pieces.number;
  return put_chunks(process, events, list.details, Packing::kPlain) &&
         ((pieces.events < kMostInChunk && pieces.number < kMostPieces) || compress_pieces(process));
}

SqliteStore::Pieces& SqliteStore::pieces_of(std::int64_t process) {
  const auto [entry, is_new] = pieces_.try_emplace(process);
  if (!is_new) return entry->second;
  Statement& find = prepared("SELECT count(*), total(count) FROM event_chunk WHERE process = ? AND packing = 0");
  if (find.with(process).step() == SQLITE_ROW)
    entry->second = {static_cast<std::size_t>(find.number(0)), static_cast<std::size_t>(find.number(1))};
  find.reset();
  return entry->second;
}

bool SqliteStore::compress_pieces(const Process& process) {
  std::vector<EventRecord> events;
  std::vector<EventDetails> details;
  std::vector<std::int64_t> damaged;
  Statement& find = prepared("SELECT id, data FROM event_chunk WHERE process = ? AND packing = 0 ORDER BY id");
  int step = find.with(process.id).step();
  for (; step == SQLITE_ROW; step = find.step()) {
    const auto chunk = EventChunk::open(find.bytes(1));
    if (!chunk || !chunk->columns().append_to(events, details).ok()) damaged.push_back(find.number(0));
  }
  find.reset();
  if (step != SQLITE_DONE) return false;
  // What cannot be read stays as it is: whoever reads it is told so.
  for (const std::int64_t id : damaged)
    if (!prepared("UPDATE event_chunk SET packing = -1 WHERE id = ?").with(id).run()) return false;
  if (!details.empty()) details.resize(events.size());
  sort_by_thread(events, details);
  pieces_[process.id] = {};
  return prepared("DELETE FROM event_chunk WHERE process = ? AND packing = 0").with(process.id).run() &&
         put_chunks(process, events, details, Packing::kDeflate);
}

// Pieces of processes that will tell no more.
void SqliteStore::compress_all() {
  std::vector<Process> processes;
  Statement& find =
      prepared("SELECT id, run, rank FROM process WHERE id IN (SELECT process FROM event_chunk WHERE packing = 0)");
  while (find.step() == SQLITE_ROW) processes.push_back({find.number(0), find.number(1), find.number(2)});
  find.reset();
  if (processes.empty() || !execute("BEGIN IMMEDIATE")) return;
  const bool ok = std::ranges::all_of(processes, [&](const Process& process) { return compress_pieces(process); });
  if (!ok || !execute("COMMIT")) (void)execute("ROLLBACK");
}

bool SqliteStore::put_event_counts(const stream::Batch& batch) {
  bool ok = true;
  for (const stream::EventCountEntry& count : batch.event_counts)
    ok = ok && prepared(
                   "INSERT INTO event_count VALUES (?,?,?,?,?,?,?,0) ON CONFLICT DO UPDATE SET stored = stored + "
                   "excluded.stored, ring_full = ring_full + excluded.ring_full, without_ring = without_ring + "
                   "excluded.without_ring, sampled_out = sampled_out + excluded.sampled_out, filtered = filtered + "
                   "excluded.filtered")
                   .with(process_of(count.process).id, count.thread, count.stored, count.ring_full, count.without_ring,
                         count.sampled_out, count.filtered)
                   .run();
  for (const stream::RingEntry& ring : batch.rings)
    ok = ok &&
         prepared("INSERT OR REPLACE INTO event_ring VALUES (?,?,?,?,?,?)")
             .with(process_of(ring.process).id, ring.ring, ring.tail, ring.dropped, ring.sampled_out, ring.filtered)
             .run();
  return ok;
}

bool SqliteStore::put_events(const stream::Batch& batch) {
  bool ok = std::ranges::all_of(batch.events, [&](const stream::EventList& list) { return put_event_list(list); }) &&
            put_event_counts(batch);
  for (const stream::OperationEntry& name : batch.operations)
    ok = ok && prepared("INSERT OR REPLACE INTO event_operation VALUES (?,?,?,?)")
                   .with(process_of(name.process).id, std::int64_t{name.operation}, valid_text(name.interface),
                         valid_text(name.word))
                   .run();
  for (const stream::ObjectEntry& object : batch.objects)
    ok = ok && prepared("INSERT OR REPLACE INTO event_object VALUES (?,?,?)")
                   .with(process_of(object.process).id, object.object, valid_text(object.path))
                   .run();
  return ok;
}

}  // namespace trikal::storage
