#include "store/sqlite/sqlite_panels.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "modules/list.hpp"
#include "schema/operations.hpp"
#include "store/sqlite/column_value.hpp"

namespace trikal::storage {
namespace {

// Rollups are kept at these widths. Of a long time the coarser ones are read: the sums are the same.
constexpr std::int64_t kWidths[] = {1, 10, 60};

// How long a slice must be so that there are at most so many; whole multiples of what is kept.
std::int64_t slice_width(std::int64_t seconds, std::size_t slices) {
  const auto most = static_cast<std::int64_t>(std::max<std::size_t>(1, slices));
  const std::int64_t least = std::max<std::int64_t>(1, (seconds + most - 1) / most);
  std::int64_t width = 1;
  for (const std::int64_t kept : kWidths) width = kept <= least ? kept : width;
  return (least + width - 1) / width * width;
}

std::int64_t kept_width(std::int64_t slice) {
  std::int64_t width = 1;
  for (const std::int64_t kept : kWidths) width = slice % kept == 0 ? kept : width;
  return width;
}

// SQL and the values of its parameters, which are all that comes from a request.
struct Query {
  std::string sql;
  std::vector<Value> values;

  void where(std::string_view condition, Value value) {
    sql += values.empty() && !has_condition ? " WHERE " : " AND ";
    sql += condition;
    has_condition = true;
    values.push_back(std::move(value));
  }
  bool has_condition = false;
};

std::string column_of(By by, std::int64_t slice) {
  switch (by) {
    case By::kRun: return "t.run";
    case By::kTime: return fmt::format("t.time / {0} * {0}", slice);
    case By::kOperation: return "(SELECT name FROM operation WHERE id = t.operation)";
    case By::kInterface: return "(SELECT name FROM module WHERE id = t.module)";
    case By::kRank: return "p.rank";
    case By::kProcess: return "t.process";
    case By::kFile: return "f.name";
    case By::kHost: return "p.host";
  }
  return "";
}

bool has(const PanelQuery& query, By by) { return std::ranges::find(query.by, by) != query.by.end(); }

std::string lowest_modules() {
  std::string list;
  for (const ModuleFormat* module : all_modules()) {
    if (is_lowest_interface(module->schema->name))
      list += fmt::format("{}{}", list.empty() ? "" : ", ", module->schema->id);
  }
  return list;
}

void put_conditions(Query& to, const PanelQuery& query, bool is_timed) {
  if (query.run != 0) to.where("t.run = ?", query.run);
  if (query.process) to.where("t.process = ?", *query.process);
  if (query.rank) to.where("p.rank = ?", *query.rank);
  if (query.file) to.where("f.name = ?", *query.file);
  if (query.operation) to.where("t.operation = (SELECT id FROM operation WHERE name = ?)", *query.operation);
  if (query.interface) to.where("t.module = (SELECT id FROM module WHERE name = ?)", *query.interface);
  if (is_timed && query.from != 0) to.where("t.time >= ?", query.from);
  if (is_timed && query.to != 0) to.where("t.time < ?", query.to);
  if (query.interface || query.layers == Layers::kAll) return;
  to.sql += to.has_condition ? " AND " : " WHERE ";
  to.sql += fmt::format("t.module IN ({})", lowest_modules());
  to.has_condition = true;
}

bool needs_process(const PanelQuery& query) { return query.rank || has(query, By::kRank) || has(query, By::kHost); }

// What they are taken of, with the tables that conditions and groups name.
std::string from_of(const PanelQuery& query, const std::string& table) {
  std::string from = fmt::format(" FROM {} t", table);
  if (needs_process(query)) from += " JOIN process p ON p.id = t.process";
  if (query.file || has(query, By::kFile)) from += " JOIN file f ON f.id = t.file";
  return from;
}

}  // namespace

Result<Table> SqlitePanels::ask(const std::string& sql, const std::vector<Value>& values, std::size_t most) {
  sqlite3_stmt* made = nullptr;
  const int prepared = sqlite3_prepare_v2(database_, sql.c_str(), static_cast<int>(sql.size()), &made, nullptr);
  const std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)> statement(made, sqlite3_finalize);
  if (prepared != SQLITE_OK) return Error{.code = ErrorCode::kSystem, .what = "cannot read the store"};
  for (std::size_t i = 0; i < values.size(); ++i) bind_value(made, static_cast<int>(i + 1), values[i]);
  Table table;
  for (int i = 0; i < sqlite3_column_count(made); ++i) table.columns.emplace_back(sqlite3_column_name(made, i));
  int step = SQLITE_DONE;
  while ((most == 0 || table.rows.size() < most) && (step = sqlite3_step(made)) == SQLITE_ROW) {
    Row& row = table.rows.emplace_back(table.columns.size());
    for (std::size_t i = 0; i < row.size(); ++i) row[i] = value_of(made, static_cast<int>(i));
  }
  if (step != SQLITE_DONE && step != SQLITE_ROW)
    return Error{.code = ErrorCode::kSystem, .what = "cannot read the store"};
  return table;
}

std::pair<std::int64_t, std::int64_t> SqlitePanels::span(const PanelQuery& query) {
  if (query.from != 0 && query.to != 0) return {query.from, query.to};
  const std::string where = query.run == 0 ? "" : " WHERE run = ?";
  const std::vector<Value> values = query.run == 0 ? std::vector<Value>{} : std::vector<Value>{query.run};
  const auto found = ask("SELECT min(time), max(time) FROM rollup_60" + where, values);
  if (!found || found->rows.empty()) return {query.from, query.to};
  const auto second = [&](std::size_t column) {
    const auto* number = std::get_if<std::int64_t>(&found->rows.front()[column]);
    return number == nullptr ? 0 : *number;
  };
  return {query.from != 0 ? query.from : second(0), query.to != 0 ? query.to : second(1) + kWidths[2]};
}

Result<Table> SqlitePanels::sums(const PanelQuery& query, std::int64_t* width) {
  const bool is_timed = has(query, By::kTime) || query.from != 0 || query.to != 0;
  const auto [first, last] = is_timed ? span(query) : std::pair<std::int64_t, std::int64_t>{0, 0};
  const std::int64_t slice = has(query, By::kTime) ? slice_width(last - first, query.slices) : 1;
  if (width != nullptr) *width = slice;
  const std::int64_t kept = has(query, By::kTime) ? kept_width(slice) : 1;
  Query made;
  made.sql = "SELECT ";
  std::string groups;
  for (std::size_t i = 0; i < query.by.size(); ++i) {
    made.sql += fmt::format("{} AS \"{}\", ", column_of(query.by[i], slice),
                            kGroupNames[static_cast<std::size_t>(query.by[i])]);
    groups += fmt::format("{}{}", i == 0 ? " GROUP BY " : ", ", i + 1);
  }
  made.sql +=
      "coalesce(sum(t.calls), 0) AS calls, coalesce(sum(t.bytes), 0) AS bytes, coalesce(sum(t.steps), 0) / "
      "1048576.0 AS seconds";
  made.sql += from_of(query, is_timed ? fmt::format("rollup_{}", kept) : "total");
  put_conditions(made, query, is_timed);
  made.sql += groups;
  made.sql += has(query, By::kTime) ? " ORDER BY \"time\"" : " ORDER BY seconds DESC, bytes DESC";
  return ask(made.sql, made.values, query.most);
}

Result<Table> SqlitePanels::runs() {
  return ask(
      fmt::format(
          "SELECT r.id AS run, r.start / 1e9 AS start, (SELECT max(time) + 1 FROM rollup_1 WHERE run = r.id) AS "
          "\"end\", "
          "r.command AS command, r.host AS host, (SELECT count(*) FROM process WHERE run = r.id) AS processes, "
          "(SELECT count(DISTINCT rank) FROM process WHERE run = r.id AND rank >= 0) AS ranks, "
          "(SELECT count(*) FROM process WHERE run = r.id AND state = 0) AS running, "
          "coalesce(s.read_bytes, 0) AS read_bytes, coalesce(s.written_bytes, 0) AS written_bytes, "
          "coalesce(s.seconds, 0) AS seconds FROM run r LEFT JOIN (SELECT run, sum(CASE operation WHEN 0 THEN bytes "
          "ELSE "
          "0 END) AS read_bytes, sum(CASE operation WHEN 1 THEN bytes ELSE 0 END) AS written_bytes, sum(steps) / "
          "1048576.0 AS seconds FROM total WHERE module IN ({}) GROUP BY run) s ON s.run = r.id "
          "WHERE r.start IS NOT NULL ORDER BY r.start DESC, r.id DESC",
          lowest_modules()),
      {});
}

Result<Table> SqlitePanels::processes(std::int64_t run) {
  return ask(
      "SELECT process, pid, parent, rank, state, start, host, command FROM processes WHERE run = ? ORDER BY start",
      {run});
}

Result<Table> SqlitePanels::system(const SystemQuery& query, std::int64_t* width) {
  const std::int64_t slice = slice_width(query.to > query.from ? query.to - query.from : 0, query.slices);
  if (width != nullptr) *width = slice;
  constexpr std::int64_t kMilliseconds = 1000;
  return ask(
      fmt::format("SELECT v.time / {0} * {0} / 1000 AS time, m.name AS metric, m.device AS device, avg(v.value) AS "
                  "value FROM metric m JOIN system_value v ON v.metric = m.id WHERE m.host = ? AND v.time >= ? "
                  "AND v.time < ? GROUP BY m.id, 1 ORDER BY m.id, 1",
                  slice * kMilliseconds),
      {query.host, query.from * kMilliseconds, query.to * kMilliseconds});
}

Result<Table> SqlitePanels::findings(std::int64_t run) {
  // As it was told last, unless that was that it is gone.
  return ask(
      "SELECT f.code, f.severity, f.seconds, f.title, s.first / 1e9 AS first, f.time / 1e9 AS last FROM finding f JOIN "
      "(SELECT code, min(time) AS first, max(time) AS last FROM finding WHERE run = ?1 GROUP BY code) s ON s.code = "
      "f.code AND s.last = f.time WHERE f.run = ?1 AND f.severity <> 'gone' ORDER BY f.seconds DESC",
      {run});
}

Result<Table> SqlitePanels::drops(std::int64_t run) {
  return ask("SELECT cause, sum(count) AS count FROM drops WHERE run = ? GROUP BY cause ORDER BY cause", {run});
}

Result<Table> SqlitePanels::phases(std::int64_t run) {
  return ask(
      "SELECT process, pid, rank, thread, depth, name, begin, end FROM phases WHERE run = ? ORDER BY begin, depth "
      "LIMIT "
      "100000",
      {run});
}

// Values of the machine are stored every second.
std::optional<double> SqlitePanels::newest() {
  const auto found = ask("SELECT max(time) / 1000.0 FROM system_value", {});
  const auto* time = found && !found->rows.empty() ? std::get_if<double>(&found->rows.front().front()) : nullptr;
  return time == nullptr ? std::nullopt : std::optional(*time);
}

Result<Table> SqlitePanels::event_counts(std::int64_t run) {
  return ask(
      "SELECT pid, rank, thread, emitted, stored, dropped, sampled_out, filtered, deleted FROM event_counts WHERE run "
      "= "
      "?1 OR ?1 = 0 ORDER BY emitted DESC",
      {run});
}

std::optional<std::uint64_t> SqlitePanels::key_of(const std::string& sql, std::int64_t number) {
  const auto found = ask(sql, {number});
  const auto* key = found && !found->rows.empty() ? std::get_if<std::int64_t>(&found->rows.front().front()) : nullptr;
  return key == nullptr ? std::nullopt : std::optional(static_cast<std::uint64_t>(*key));
}

std::optional<std::uint64_t> SqlitePanels::run_key(std::int64_t run) {
  return key_of("SELECT key FROM run WHERE id = ?", run);
}

std::optional<std::uint64_t> SqlitePanels::process_key(std::int64_t process) {
  return key_of("SELECT key FROM process WHERE id = ?", process);
}

std::int64_t SqlitePanels::version() {
  unsigned int version = 0;
  // Only a look at the database brings the number up to date.
  (void)ask("SELECT count(*) FROM source", {});
  sqlite3_file_control(database_, "main", SQLITE_FCNTL_DATA_VERSION, &version);
  return version;
}

}  // namespace trikal::storage
