// How batches get into the store.

#include <algorithm>
#include <map>
#include <span>
#include <tuple>

#include "base/utf8.hpp"
#include "store/sqlite/sqlite_store.hpp"

namespace trikal::storage {
namespace {

constexpr int kWidths[] = {1, 10, 60};
constexpr const char* kAdd[] = {
    "INSERT INTO rollup_1 VALUES (?,?,?,?,?,?,?,?,?) ON CONFLICT DO UPDATE SET calls = calls + excluded.calls, "
    "bytes = bytes + excluded.bytes, steps = steps + excluded.steps",
    "INSERT INTO rollup_10 VALUES (?,?,?,?,?,?,?,?,?) ON CONFLICT DO UPDATE SET calls = calls + excluded.calls, "
    "bytes = bytes + excluded.bytes, steps = steps + excluded.steps",
    "INSERT INTO rollup_60 VALUES (?,?,?,?,?,?,?,?,?) ON CONFLICT DO UPDATE SET calls = calls + excluded.calls, "
    "bytes = bytes + excluded.bytes, steps = steps + excluded.steps",
};
constexpr const char* kAddTotal =
    "INSERT INTO total VALUES (?,?,?,?,?,?,?,?) ON CONFLICT DO UPDATE SET calls = calls + excluded.calls, "
    "bytes = bytes + excluded.bytes, steps = steps + excluded.steps";

// The second an interval belongs to: that of its end, which belongs to the one before when it is its very beginning. What a
// process did before it was watched is put where it began, so that it makes no other second look busy.
std::int64_t second_of(const stream::Interval& interval) {
  if (interval.is_history()) return std::max<stream::Nanoseconds>(interval.begin, 0) / stream::kSecond;
  return (std::max<stream::Nanoseconds>(interval.end, 1) - 1) / stream::kSecond;
}

using Key = std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t, std::int64_t, std::int64_t>;
using Sums = std::map<Key, stream::Amount>;  // in the order of the tables

// Names are whatever bytes a program used; SQL has text.
std::string text_of(const std::string& bytes) {
  std::string text;
  append_utf8(text, bytes);
  return text;
}

// Those of a name that is no text; of all others none.
Bytes odd_bytes(const std::string& name) { return is_utf8(name) ? Bytes() : std::as_bytes(std::span(name)); }

void add(stream::Amount& to, const stream::Amount& more) {
  to.calls += more.calls, to.bytes += more.bytes, to.steps += more.steps;
}

}  // namespace

Status SqliteStore::ingest(const stream::Batch& batch) {
  if (!execute("BEGIN IMMEDIATE")) return failure("cannot write to the store");
  bool ok = true;
  if (is_new(batch, ok))
    ok = put_dictionary(batch) && put_rollups(batch) && put_system(batch) && put_findings(batch) && put_events(batch) &&
         put_phases(batch);
  if (ok && execute("COMMIT")) return {};
  const Error error = failure("cannot write to the store");
  (void)execute("ROLLBACK");
  // What was looked up may be of rows that are not there any more.
  runs_.clear(), files_.clear(), processes_.clear(), metrics_.clear(), pieces_.clear();
  return error;
}

// Batches of a source come in order as a rule, so of almost all only the last number is kept.
bool SqliteStore::is_new(const stream::Batch& batch, bool& ok) {
  Statement& known = prepared("SELECT contiguous FROM source WHERE source = ?");
  std::int64_t contiguous = 0;
  if (known.with(batch.source).step() == SQLITE_ROW) contiguous = known.number(0);
  known.reset();
  if (as_signed(batch.sequence) <= contiguous) return false;
  ok = prepared("INSERT OR IGNORE INTO batch VALUES (?, ?)").with(batch.source, batch.sequence).run();
  if (!ok || sqlite3_changes(database_.get()) == 0) return false;
  Statement& there = prepared("SELECT 1 FROM batch WHERE source = ? AND sequence = ?");
  while (there.with(batch.source, contiguous + 1).step() == SQLITE_ROW) ++contiguous;
  there.reset();
  ok = prepared("INSERT OR REPLACE INTO source VALUES (?, ?)").with(batch.source, contiguous).run() &&
       prepared("DELETE FROM batch WHERE source = ? AND sequence <= ?").with(batch.source, contiguous).run();
  return ok;
}

std::int64_t SqliteStore::run_of(std::uint64_t key) {
  std::int64_t& id = runs_[key];
  if (id != 0) return id;
  if (!prepared("INSERT OR IGNORE INTO run (key) VALUES (?)").with(key).run()) return 0;
  Statement& find = prepared("SELECT id FROM run WHERE key = ?");
  if (find.with(key).step() == SQLITE_ROW) id = find.number(0);
  find.reset();
  return id;
}

// A process that nobody told of belongs to a run that nobody knows, until somebody does.
SqliteStore::Process SqliteStore::process_of(std::uint64_t key, std::uint64_t run) {
  Process& process = processes_[key];
  if (process.id != 0) return process;
  Statement& find = prepared("SELECT id, run, rank FROM process WHERE key = ?");
  bool found = find.with(key).step() == SQLITE_ROW;
  if (!found) {
    find.reset();
    if (!prepared("INSERT INTO process (key, run, rank, pid) VALUES (?, ?, -1, 0)").with(key, run_of(run)).run())
      return {};
    found = find.with(key).step() == SQLITE_ROW;
  }
  if (found) process = {find.number(0), find.number(1), find.number(2)};
  find.reset();
  return process;
}

std::int64_t SqliteStore::file_of(std::uint64_t key) {
  std::int64_t& id = files_[key];
  if (id != 0) return id;
  if (!prepared("INSERT OR IGNORE INTO file (key) VALUES (?)").with(key).run()) return 0;
  Statement& find = prepared("SELECT id FROM file WHERE key = ?");
  if (find.with(key).step() == SQLITE_ROW) id = find.number(0);
  find.reset();
  return id;
}

bool SqliteStore::put_dictionary(const stream::Batch& batch) {
  bool ok = true;
  for (const stream::RunEntry& run : batch.runs)
    ok = ok && prepared(
                   "INSERT INTO run (key, start, command, host) VALUES (?, ?, ?, ?) ON CONFLICT (key) DO UPDATE SET "
                   "start = excluded.start, command = excluded.command, host = excluded.host")
                   .with(run.run, run.start, text_of(run.command), text_of(run.host))
                   .run();
  for (const stream::ProcessEntry& process : batch.processes) ok = ok && put_process(process);
  for (const stream::FileEntry& file : batch.files)
    ok = ok && prepared(
                   "INSERT INTO file (key, name, name_bytes) VALUES (?, ?, ?) ON CONFLICT (key) DO UPDATE SET name = "
                   "excluded.name, name_bytes = excluded.name_bytes")
                   .with(file.file, text_of(file.name), odd_bytes(file.name))
                   .run();
  return ok;
}

bool SqliteStore::put_process(const stream::ProcessEntry& entry) {
  const Process was = process_of(entry.process, entry.run);
  const std::int64_t run = run_of(entry.run);
  bool ok =
      was.id != 0 && run != 0 &&
      prepared(
          "UPDATE process SET run = ?, pid = ?, parent = ?, rank = ?, generation = ?, state = ?, start = ?, host = ?, "
          "command = ?, uid = ?, job = ?, program = ?, program_bytes = ? WHERE id = ?")
          .with(run, entry.pid, entry.parent, entry.rank, std::int64_t{entry.generation},
                static_cast<std::int64_t>(entry.state), entry.start, text_of(entry.host), text_of(entry.command),
                entry.uid, entry.job, text_of(entry.program), odd_bytes(entry.program), was.id)
          .run();
  if (!ok || (was.run == run && was.rank == entry.rank)) return ok;
  processes_[entry.process] = {was.id, run, entry.rank};
  ok = prepared("UPDATE event_chunk SET run = ?, rank = ? WHERE process = ?").with(run, entry.rank, was.id).run();
  if (was.run == run) return ok;
  for (const char* move : {"UPDATE rollup_1 SET run = ? WHERE run = ? AND process = ?",
                           "UPDATE rollup_10 SET run = ? WHERE run = ? AND process = ?",
                           "UPDATE rollup_60 SET run = ? WHERE run = ? AND process = ?",
                           "UPDATE total SET run = ? WHERE run = ? AND process = ?"})
    ok = ok && prepared(move).with(run, was.run, was.id).run();
  return ok;
}

bool SqliteStore::put_rollups(const stream::Batch& batch) {
  Sums sums[std::size(kWidths)], totals;
  for (const stream::Interval& interval : batch.intervals) {
    const std::int64_t second = second_of(interval);
    for (const stream::Rollup& row : interval.rows) {
      const Process process = process_of(row.process);
      const std::int64_t file = file_of(row.file);
      if (process.id == 0 || file == 0) return false;
      const std::int64_t module = row.module, operation = static_cast<std::int64_t>(row.operation);
      for (std::size_t i = 0; i < std::size(kWidths); ++i)
        add(sums[i][{process.run, process.id, second / kWidths[i] * kWidths[i], file, module, operation}], row.amount);
      add(totals[{process.run, process.id, 0, file, module, operation}], row.amount);
    }
  }
  bool ok = true;
  for (std::size_t i = 0; i < std::size(kWidths); ++i) {
    Statement& insert = prepared(kAdd[i]);
    for (const auto& [key, sum] : sums[i]) {
      const auto& [run, process, time, file, module, operation] = key;
      ok = ok && insert.with(run, process, time, file, module, operation, sum.calls, sum.bytes, sum.steps).run();
    }
  }
  Statement& insert = prepared(kAddTotal);
  for (const auto& [key, sum] : totals) {
    const auto& [run, process, time, file, module, operation] = key;
    ok = ok && insert.with(run, process, file, module, operation, sum.calls, sum.bytes, sum.steps).run();
  }
  return ok;
}

std::int64_t SqliteStore::metric_of(const std::string& host, const stream::SystemValue& value) {
  std::int64_t& id = metrics_[host + '\0' + value.metric + '\0' + value.device];
  if (id != 0) return id;
  if (!prepared("INSERT OR IGNORE INTO metric (host, name, device) VALUES (?, ?, ?)")
           .with(host, value.metric, value.device)
           .run())
    return 0;
  Statement& find = prepared("SELECT id FROM metric WHERE host = ? AND name = ? AND device = ?");
  if (find.with(host, value.metric, value.device).step() == SQLITE_ROW) id = find.number(0);
  find.reset();
  return id;
}

bool SqliteStore::put_system(const stream::Batch& batch) {
  constexpr stream::Nanoseconds kMillisecond = 1'000'000;
  bool ok = true;
  for (const stream::SystemValue& value : batch.system) {
    const std::int64_t metric = metric_of(batch.host, value);
    ok = ok && metric != 0 &&
         prepared("INSERT OR REPLACE INTO system_value VALUES (?, ?, ?)")
             .with(metric, value.time / kMillisecond, value.value)
             .run();
  }
  return ok;
}

bool SqliteStore::put_findings(const stream::Batch& batch) {
  bool ok = true;
  for (const stream::FindingEntry& finding : batch.findings)
    ok = ok && prepared("INSERT OR REPLACE INTO finding VALUES (?, ?, ?, ?, ?, ?)")
                   .with(run_of(finding.run), text_of(finding.code), finding.time, text_of(finding.title),
                         text_of(finding.severity), finding.seconds)
                   .run();
  for (const stream::DropEntry& drop : batch.drops)
    ok =
        ok &&
        prepared("INSERT INTO drop_count VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET count = max(count, excluded.count)")
            .with(process_of(drop.process).id, drop.cause, drop.count)
            .run();
  return ok;
}

// One that has ended stays ended, in whichever order batches come.
bool SqliteStore::put_phases(const stream::Batch& batch) {
  return std::ranges::all_of(batch.phases, [this](const stream::PhaseEntry& phase) {
    return prepared(
               "INSERT INTO phase VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET end = max(end, excluded.end)")
        .with(process_of(phase.process).id, phase.number, std::int64_t{phase.thread}, std::int64_t{phase.depth},
              phase.begin, phase.end, text_of(phase.name))
        .run();
  });
}

}  // namespace trikal::storage
