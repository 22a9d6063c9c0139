// Events of the store for programs.

#include <algorithm>

#include "store/sqlite/event_names.hpp"
#include "store/sqlite/event_scan.hpp"
#include "store/sqlite/sqlite_store.hpp"

namespace trikal::storage {
namespace {

using stream::EventColumn;

stream::EventDetails details_of(const EventScan& scan) {
  const auto value = [&]<class T>(EventColumn column, T& into) { into = static_cast<T>(scan.value(column)); };
  stream::EventDetails details;
  value(EventColumn::kHighestRead, details.highest_read), value(EventColumn::kHighestWritten, details.highest_written);
  value(EventColumn::kSwitches, details.switches), value(EventColumn::kFlushes, details.flushes);
  value(EventColumn::kSelected, details.selected), value(EventColumn::kDatasetElements, details.dataset_elements);
  value(EventColumn::kPointSelects, details.point_selects);
  value(EventColumn::kRegularSelects, details.regular_selects);
  value(EventColumn::kIrregularSelects, details.irregular_selects);
  value(EventColumn::kDimensions, details.dimensions), value(EventColumn::kSelection, details.selection);
  return details;
}

// The event that the scan is at.
StoredEvent event_of(const EventScan& scan, EventNames& names) {
  const EventNames::Process& process = names.process(scan.process());
  const EventNames::File& file = names.file(scan.value(EventColumn::kFile));
  const auto& operation = names.operation(scan.process(), scan.value(EventColumn::kOperation));
  const std::uint64_t site = as_unsigned(scan.value(EventColumn::kCallSite)), object = site >> stream::kObjectShift;
  StoredEvent event{.run = process.run_key,
                    .process = process.key,
                    .run_row = scan.run(),
                    .process_row = scan.process(),
                    .pid = process.pid,
                    .rank = scan.rank(),
                    .own_rank = scan.value(EventColumn::kRank),
                    .host = process.host,
                    .command = process.command,
                    .thread = static_cast<std::uint32_t>(scan.value(EventColumn::kThread)),
                    .sequence = static_cast<std::uint32_t>(scan.value(EventColumn::kSequence)),
                    .time = scan.value(EventColumn::kBegin),
                    .duration = scan.value(EventColumn::kDuration),
                    .interface = operation.interface,
                    .operation = operation.word,
                    .operation_number = static_cast<std::uint32_t>(scan.value(EventColumn::kOperation)),
                    .file = file.key,
                    .file_name = file.name,
                    .offset = scan.value(EventColumn::kOffset),
                    .length = scan.value(EventColumn::kLength),
                    .object = {},
                    .address = site - (object << stream::kObjectShift)};
  if (site != 0) event.object = names.object(scan.process(), as_signed(object));
  return event;
}

}  // namespace

bool is_wanted(const EventQuery& query, const StoredEvent& event) {
  return (!query.thread || *query.thread == event.thread) && (query.file.empty() || query.file == event.file_name) &&
         (query.interface.empty() || query.interface == event.interface) &&
         (query.operation.empty() || query.operation == event.operation);
}

// The number of a row that has a key; without one, of a row that is not there.
std::int64_t SqliteStore::row_of(const char* sql, std::uint64_t key) {
  Statement& find = prepared(sql);
  const std::int64_t id = find.with(key).step() == SQLITE_ROW ? find.number(0) : -1;
  find.reset();
  return id;
}

EventSelection SqliteStore::selection_of(const EventQuery& query) {
  EventSelection selection{
      .run = {}, .process = {}, .rank = query.rank, .chunk = {}, .from = query.from, .to = query.to - 1};
  if (query.to == INT64_MAX) selection.to = query.to;
  if (query.run) selection.run = row_of("SELECT id FROM run WHERE key = ?", *query.run);
  if (query.process) selection.process = row_of("SELECT id FROM process WHERE key = ?", *query.process);
  selection.longest_first = query.order == EventQuery::Order::kDuration;
  selection.as_stored = query.order == EventQuery::Order::kStored;
  return selection;
}

Status SqliteStore::events(const EventQuery& query, const std::function<bool(const StoredEvent&)>& use) {
  if (query.to == INT64_MIN) return {};
  EventNames names(database_.get());
  return scan_events(selection_of(query), query, names, use);
}

Status SqliteStore::scan_events(const EventSelection& selection, const EventQuery& query, EventNames& names,
                                const std::function<bool(const StoredEvent&)>& use) {
  EventScan scan(database_.get());
  if (scan.begin(selection, ~0U) != SQLITE_OK) return failure("cannot read the store");
  int step = scan.next();
  for (std::uint64_t found = 0; step == SQLITE_ROW; step = scan.next()) {
    StoredEvent event = event_of(scan, names);
    if (!is_wanted(query, event)) continue;
    event.bound = scan.bound();
    stream::EventDetails details;
    if (scan.has(EventColumn::kHighestRead)) details = details_of(scan), event.details = &details;
    if (!use(event) || ++found == query.most) return {};
  }
  return step == SQLITE_DONE ? Status() : failure_of(scan);
}

Status SqliteStore::read_events(EventScan& scan, const EventSelection& selection, std::uint32_t columns,
                                const std::function<void()>& use) {
  if (scan.begin(selection, columns) != SQLITE_OK) return failure("cannot read the store");
  int step = scan.next();
  for (; step == SQLITE_ROW; step = scan.next()) use();
  return step == SQLITE_DONE ? Status() : failure_of(scan);
}

Error SqliteStore::failure_of(const EventScan& scan) {
  if (scan.damage().empty()) return failure("cannot read the store");
  message_ = scan.damage();
  return {.code = ErrorCode::kDamaged, .what = "the store is damaged"};
}

std::optional<StoredProcess> SqliteStore::process(std::uint64_t key) {
  Statement& find = prepared(
      "SELECT coalesce(uid, -1), coalesce(job, -1), start IS NOT NULL, start, host, coalesce(program_bytes, program) "
      "FROM process WHERE key = ?");
  std::optional<StoredProcess> process;
  if (find.with(key).step() == SQLITE_ROW) {
    process = {find.number(0), find.number(1), std::nullopt, find.text(4), find.text(5)};
    if (find.number(2) != 0) process->start = find.number(3);
  }
  find.reset();
  return process;
}

std::optional<std::string> SqliteStore::file_name(std::uint64_t key) {
  Statement& find = prepared("SELECT coalesce(name_bytes, name) FROM file WHERE key = ? AND name IS NOT NULL");
  std::optional<std::string> name;
  if (find.with(key).step() == SQLITE_ROW) name = find.text(0);
  find.reset();
  return name;
}

Result<std::vector<stream::RingEntry>> SqliteStore::rings_of(std::uint64_t process) {
  std::vector<stream::RingEntry> rings;
  Statement& find = prepared(
      "SELECT ring, tail, dropped, sampled_out, filtered FROM event_ring WHERE process = (SELECT id FROM process WHERE "
      "key = ?)");
  int step = find.with(process).step();
  for (; step == SQLITE_ROW; step = find.step())
    rings.push_back({process, find.number(0), find.id(1), find.id(2), find.id(3), find.id(4)});
  find.reset();
  if (step != SQLITE_DONE) return failure("cannot read the store");
  return rings;
}

}  // namespace trikal::storage
