#include "store/sqlite/schema.hpp"

#include <fmt/format.h>

#include "modules/list.hpp"
#include "schema/operations.hpp"
#include "store/sqlite/statement.hpp"

namespace trikal::storage {
namespace {

// Dictionaries have small numbers for what is long; rollups are kept in the order run, process, time, and found by run and
// time and by time, too. Durations are steps of 1/1048576 s: sums stay exact.
constexpr const char* kTables = R"(
CREATE TABLE source (source INTEGER PRIMARY KEY, contiguous INTEGER NOT NULL);
CREATE TABLE batch (source INTEGER NOT NULL, sequence INTEGER NOT NULL, PRIMARY KEY (source, sequence)) WITHOUT ROWID;
CREATE TABLE module (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE operation (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE run (id INTEGER PRIMARY KEY, key INTEGER NOT NULL UNIQUE, start INTEGER, command TEXT, host TEXT);
CREATE TABLE process (id INTEGER PRIMARY KEY, key INTEGER NOT NULL UNIQUE, run INTEGER NOT NULL, pid INTEGER, parent INTEGER,
  rank INTEGER, generation INTEGER, state INTEGER, start INTEGER, host TEXT, command TEXT);
CREATE INDEX process_rank ON process (run, rank);
CREATE TABLE file (id INTEGER PRIMARY KEY, key INTEGER NOT NULL UNIQUE, name TEXT);
CREATE TABLE rollup_1 (run INTEGER NOT NULL, process INTEGER NOT NULL, time INTEGER NOT NULL, file INTEGER NOT NULL,
  module INTEGER NOT NULL, operation INTEGER NOT NULL, calls INTEGER NOT NULL, bytes INTEGER NOT NULL, steps INTEGER NOT NULL,
  PRIMARY KEY (run, process, time, file, module, operation)) WITHOUT ROWID;
CREATE INDEX rollup_1_job_time ON rollup_1 (run, time, process);
CREATE INDEX rollup_1_time ON rollup_1 (time, run, process);
CREATE TABLE rollup_10 (run INTEGER NOT NULL, process INTEGER NOT NULL, time INTEGER NOT NULL, file INTEGER NOT NULL,
  module INTEGER NOT NULL, operation INTEGER NOT NULL, calls INTEGER NOT NULL, bytes INTEGER NOT NULL, steps INTEGER NOT NULL,
  PRIMARY KEY (run, process, time, file, module, operation)) WITHOUT ROWID;
CREATE INDEX rollup_10_job_time ON rollup_10 (run, time, process);
CREATE INDEX rollup_10_time ON rollup_10 (time, run, process);
CREATE TABLE rollup_60 (run INTEGER NOT NULL, process INTEGER NOT NULL, time INTEGER NOT NULL, file INTEGER NOT NULL,
  module INTEGER NOT NULL, operation INTEGER NOT NULL, calls INTEGER NOT NULL, bytes INTEGER NOT NULL, steps INTEGER NOT NULL,
  PRIMARY KEY (run, process, time, file, module, operation)) WITHOUT ROWID;
CREATE INDEX rollup_60_job_time ON rollup_60 (run, time, process);
CREATE INDEX rollup_60_time ON rollup_60 (time, run, process);
CREATE TABLE total (run INTEGER NOT NULL, process INTEGER NOT NULL, file INTEGER NOT NULL, module INTEGER NOT NULL,
  operation INTEGER NOT NULL, calls INTEGER NOT NULL, bytes INTEGER NOT NULL, steps INTEGER NOT NULL,
  PRIMARY KEY (run, process, file, module, operation)) WITHOUT ROWID;
CREATE TABLE metric (id INTEGER PRIMARY KEY, host TEXT NOT NULL, name TEXT NOT NULL, device TEXT NOT NULL,
  UNIQUE (host, name, device));
CREATE TABLE system_value (metric INTEGER NOT NULL, time INTEGER NOT NULL, value REAL, PRIMARY KEY (metric, time)) WITHOUT ROWID;
CREATE INDEX system_value_time ON system_value (time, metric);
CREATE VIEW runs AS SELECT id AS run, start / 1e9 AS start, command, host FROM run;
CREATE VIEW processes AS SELECT process.id AS process, process.run, pid, parent, rank, generation,
  CASE state WHEN 0 THEN 'running' WHEN 1 THEN 'exited' WHEN 2 THEN 'exec' ELSE 'gone' END AS state,
  process.start / 1e9 AS start, process.host, process.command FROM process;
CREATE VIEW rollups AS SELECT rollup_1.time, rollup_1.run, process.rank, process.pid, rollup_1.process, file.name AS file,
  module.name AS interface, operation.name AS operation, calls, bytes, steps / 1048576.0 AS seconds
  FROM rollup_1 JOIN process ON process.id = rollup_1.process AND process.run = rollup_1.run
  LEFT JOIN file ON file.id = rollup_1.file
  LEFT JOIN module ON module.id = rollup_1.module LEFT JOIN operation ON operation.id = rollup_1.operation;
CREATE VIEW totals AS SELECT total.run, process.rank, process.pid, total.process, file.name AS file,
  module.name AS interface, operation.name AS operation, calls, bytes, steps / 1048576.0 AS seconds
  FROM total JOIN process ON process.id = total.process AND process.run = total.run
  LEFT JOIN file ON file.id = total.file
  LEFT JOIN module ON module.id = total.module LEFT JOIN operation ON operation.id = total.operation;
CREATE VIEW system AS SELECT time / 1000.0 AS time, host, name AS metric, device, value
  FROM system_value JOIN metric ON metric.id = system_value.metric;
)";

constexpr const char* kFindings = R"(
CREATE TABLE finding (run INTEGER NOT NULL, code TEXT NOT NULL, time INTEGER NOT NULL, title TEXT, severity TEXT, seconds REAL,
  PRIMARY KEY (run, code, time)) WITHOUT ROWID;
CREATE TABLE drop_count (process INTEGER NOT NULL, cause TEXT NOT NULL, count INTEGER NOT NULL,
  PRIMARY KEY (process, cause)) WITHOUT ROWID;
CREATE VIEW findings AS SELECT run, time / 1e9 AS time, code, severity, seconds, title FROM finding;
CREATE VIEW drops AS SELECT process.run, process.rank, process.pid, cause, count
  FROM drop_count JOIN process ON process.id = drop_count.process;
)";

// A chunk has up to some thousand events of a process; three orders of run, rank and time find it without a look at others. Names
// are added by event_rows (event_table.cpp), which is there for who opens the store with trikal.
constexpr const char* kEvents = R"(
CREATE TABLE event_chunk (id INTEGER PRIMARY KEY, run INTEGER NOT NULL, process INTEGER NOT NULL, rank INTEGER NOT NULL,
  first INTEGER NOT NULL, last INTEGER NOT NULL, count INTEGER NOT NULL, packing INTEGER NOT NULL, data BLOB NOT NULL);
CREATE INDEX event_chunk_job_rank ON event_chunk (run, rank, first, last);
CREATE INDEX event_chunk_job_time ON event_chunk (run, first, last, rank);
CREATE INDEX event_chunk_time ON event_chunk (first, last, run, rank);
CREATE INDEX event_chunk_process ON event_chunk (process, first, last);
CREATE INDEX event_chunk_pieces ON event_chunk (process) WHERE packing = 0;
CREATE TABLE event_sum (chunk INTEGER PRIMARY KEY, longest INTEGER NOT NULL, times BLOB, files BLOB);
CREATE TRIGGER event_chunk_gone AFTER DELETE ON event_chunk BEGIN DELETE FROM event_sum WHERE chunk = OLD.id; END;
CREATE TABLE event_count (process INTEGER NOT NULL, thread INTEGER NOT NULL, stored INTEGER NOT NULL, ring_full INTEGER NOT NULL,
  without_ring INTEGER NOT NULL, sampled_out INTEGER NOT NULL, filtered INTEGER NOT NULL, deleted INTEGER NOT NULL,
  PRIMARY KEY (process, thread)) WITHOUT ROWID;
CREATE TABLE event_ring (process INTEGER NOT NULL, ring INTEGER NOT NULL, tail INTEGER NOT NULL, dropped INTEGER NOT NULL,
  sampled_out INTEGER NOT NULL, filtered INTEGER NOT NULL, PRIMARY KEY (process, ring)) WITHOUT ROWID;
CREATE TABLE event_operation (process INTEGER NOT NULL, number INTEGER NOT NULL, interface TEXT, word TEXT,
  PRIMARY KEY (process, number)) WITHOUT ROWID;
CREATE TABLE event_object (process INTEGER NOT NULL, number INTEGER NOT NULL, path TEXT, PRIMARY KEY (process, number)) WITHOUT ROWID;
CREATE VIEW events AS SELECT time, duration, run, rank, pid, process, thread, interface, operation, file, offset, length, sequence,
  object, address, begin_ns, duration_ns FROM event_rows;
CREATE VIEW event_details AS SELECT time, run, rank, pid, process, thread, sequence, interface, operation, file, highest_read,
  highest_written, switches, flushes, selection, selected, dimensions, dataset_elements, point_selects, regular_selects,
  irregular_selects FROM event_rows WHERE selection IS NOT NULL;
CREATE VIEW event_counts AS SELECT process.run, process.rank, process.pid, event_count.process, thread,
  stored + ring_full + without_ring AS emitted, stored, ring_full + without_ring AS dropped, ring_full, without_ring,
  0 AS without_file, sampled_out, filtered, deleted FROM event_count JOIN process ON process.id = event_count.process
  UNION ALL SELECT process.run, process.rank, process.pid, process.id, -1, count, 0, count, 0, 0, count, 0, 0, 0
  FROM drop_count JOIN process ON process.id = drop_count.process WHERE cause = 'without_file';
)";

// What messages of the LDMS connector say of a process. Columns of bytes have names that are no text, as they were.
constexpr const char* kPrograms = R"(
ALTER TABLE process ADD COLUMN uid INTEGER;
ALTER TABLE process ADD COLUMN job INTEGER;
ALTER TABLE process ADD COLUMN program TEXT;
ALTER TABLE process ADD COLUMN program_bytes BLOB;
ALTER TABLE file ADD COLUMN name_bytes BLOB;
DROP VIEW processes;
CREATE VIEW processes AS SELECT process.id AS process, process.run, pid, parent, rank, generation,
  CASE state WHEN 0 THEN 'running' WHEN 1 THEN 'exited' WHEN 2 THEN 'exec' ELSE 'gone' END AS state,
  process.start / 1e9 AS start, process.host, process.command, nullif(uid, -1) AS uid, nullif(job, -1) AS job,
  nullif(program, '') AS program FROM process;
)";

// Sums by time are finer and without histograms from here on; those by call have these. Chunks that came earlier have
// neither, and panels read their events.
constexpr const char* kSums = R"(
ALTER TABLE event_sum ADD COLUMN calls BLOB;
UPDATE event_sum SET times = NULL;
)";

constexpr const char* kPhases = R"(
CREATE TABLE phase (process INTEGER NOT NULL, number INTEGER NOT NULL, thread INTEGER, depth INTEGER, begin INTEGER, end INTEGER,
  name TEXT, PRIMARY KEY (process, number)) WITHOUT ROWID;
CREATE VIEW phases AS SELECT process.run, process.rank, process.pid, phase.process, thread, depth, phase.name, begin / 1e9 AS begin,
  nullif(phase.end, 0) / 1e9 AS end FROM phase JOIN process ON process.id = phase.process;
)";

// A table of their own: beside the sums in short units they would be read together with these.
constexpr const char* kLongSums = R"(
CREATE TABLE event_sum_long (chunk INTEGER PRIMARY KEY, times BLOB);
DROP TRIGGER event_chunk_gone;
CREATE TRIGGER event_chunk_gone AFTER DELETE ON event_chunk BEGIN
  DELETE FROM event_sum WHERE chunk = OLD.id; DELETE FROM event_sum_long WHERE chunk = OLD.id; END;
)";

constexpr const char* kSteps[] = {kTables, kFindings, kEvents, kPrograms, kSums, kPhases, kLongSums};

Error failed(sqlite3* database) {
  return {
      .code = ErrorCode::kSystem, .sys_errno = sqlite3_system_errno(database), .what = "the store cannot be prepared"};
}

bool execute(sqlite3* database, const std::string& sql) {
  return sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK;
}

// -1: it cannot be read.
std::int64_t pragma(sqlite3* database, const char* name) {
  Statement statement(database, fmt::format("PRAGMA {}", name));
  return statement.step() == SQLITE_ROW ? statement.number(0) : -1;
}

bool is_empty(sqlite3* database) {
  Statement statement(database, "SELECT count(*) FROM sqlite_schema");
  return statement.step() == SQLITE_ROW && statement.number(0) == 0;
}

Status check(sqlite3* database) {
  const std::int64_t version = pragma(database, "user_version");
  if (version < 0) return Error{.code = ErrorCode::kNotALog, .what = "not a database"};
  if (pragma(database, "application_id") != kApplication)
    return Error{.code = ErrorCode::kNotALog, .what = "not a store of trikal"};
  if (version > static_cast<std::int64_t>(std::size(kSteps)))
    return Error{.code = ErrorCode::kUnsupported, .what = "a store of a later version of trikal"};
  return {};
}

// Names for what rollups have as numbers.
bool fill_names(sqlite3* database) {
  Statement module(database, "INSERT OR REPLACE INTO module VALUES (?, ?)");
  Statement operation(database, "INSERT OR REPLACE INTO operation VALUES (?, ?)");
  bool ok = true;
  for (const ModuleFormat* known : all_modules())
    ok = ok && module.with(std::int64_t{known->schema->id}, known->schema->name).run();
  for (std::size_t i = 0; i < kOperations; ++i)
    ok = ok && operation.with(static_cast<std::int64_t>(i), operation_name(static_cast<Operation>(i))).run();
  return ok;
}

}  // namespace

std::span<const char* const> schema_steps() { return kSteps; }

Status check_schema(sqlite3* database) {
  if (const Status checked = check(database); !checked) return checked;
  if (pragma(database, "user_version") < static_cast<std::int64_t>(std::size(kSteps)))
    return Error{.code = ErrorCode::kUnsupported,
                 .what = "a store of an earlier version of trikal: trikal watch --store brings it up to date"};
  return {};
}

Status prepare_schema(sqlite3* database, int version) {
  if (pragma(database, "user_version") < 0) return Error{.code = ErrorCode::kNotALog, .what = "not a database"};
  if (!execute(database, "BEGIN IMMEDIATE")) return failed(database);
  const bool is_new = is_empty(database);
  const Status checked = is_new ? Status{} : check(database);
  const auto newest = static_cast<std::int64_t>(std::size(kSteps));
  const std::int64_t target = version > 0 ? version : newest;
  bool ok = checked.ok();
  for (std::int64_t next = pragma(database, "user_version"); ok && next < target; ++next)
    ok = execute(database, kSteps[next]);
  ok = ok && fill_names(database) &&
       (pragma(database, "user_version") >= target ||
        execute(database, fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}", kApplication, target)));
  if (ok && execute(database, "COMMIT")) return {};
  const Error error = checked.ok() ? failed(database) : checked.error();
  execute(database, "ROLLBACK");
  return error;
}

}  // namespace trikal::storage
