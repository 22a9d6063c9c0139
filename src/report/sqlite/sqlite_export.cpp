#include "report/sqlite/sqlite_export.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <bit>

namespace trikal::report {
namespace {

// Every name here comes from our own tables and has no quote in it.
std::string sql_name(std::string_view name) { return fmt::format("\"{}\"", name); }

std::string_view sql_type(CellType type) {
  switch (type) {
    case CellType::kI64:
    case CellType::kU64: return "INTEGER";
    case CellType::kF64: return "REAL";
    case CellType::kText: return "TEXT";
  }
  return "";
}

bool is_names(const log::TableInfo& table) { return table.role == TableRole::kLog && table.name == "names"; }

std::string create_statement(const log::TableInfo& table) {
  std::string sql = fmt::format("CREATE TABLE {} (", sql_name(table.name));
  const char* comma = "";
  for (const log::ColumnInfo& column : table.columns) {
    sql += fmt::format("{}{} {}", comma, sql_name(column.name), sql_type(column.type));
    // The id is the row's own key: names are found without another index.
    if (is_names(table) && column.name == "record_id") sql += " PRIMARY KEY";
    comma = ", ";
  }
  return sql + ")";
}

std::string insert_statement(const log::TableInfo& table) {
  std::string marks;
  for (std::size_t i = 0; i < table.columns.size(); ++i) marks += i == 0 ? "?" : ",?";
  return fmt::format("INSERT INTO {} VALUES ({})", sql_name(table.name), marks);
}

int bind(sqlite3_stmt* statement, int column_number, const ColumnData& column, std::size_t row) {
  switch (column.type) {
    case CellType::kI64:
    case CellType::kU64:
      return sqlite3_bind_int64(statement, column_number, static_cast<std::int64_t>(column.words[row]));
    case CellType::kF64: return sqlite3_bind_double(statement, column_number, std::bit_cast<double>(column.words[row]));
    case CellType::kText: break;
  }
  if (!column.has(row)) return sqlite3_bind_null(statement, column_number);
  const std::string_view text = column.text_at(row);
  // The chunk outlives the step that uses it.
  return sqlite3_bind_text(statement, column_number, text.data(), static_cast<int>(text.size()), SQLITE_STATIC);
}

}  // namespace

void SqliteExport::CloseDatabase::operator()(sqlite3* database) const { sqlite3_close(database); }
void SqliteExport::Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

std::string SqliteExport::message() const { return database_ ? sqlite3_errmsg(database_.get()) : ""; }

Error SqliteExport::failure() const {
  const int cause = database_ ? sqlite3_system_errno(database_.get()) : 0;
  return {.code = ErrorCode::kSystem, .sys_errno = cause, .what = "SQLite cannot write the database"};
}

Status SqliteExport::execute(const std::string& sql) {
  const int result = sqlite3_exec(database_.get(), sql.c_str(), nullptr, nullptr, nullptr);
  return result == SQLITE_OK ? Status{} : failure();
}

Result<std::unique_ptr<SqliteExport>> SqliteExport::open(std::unique_ptr<OutputFile> file) {
  std::unique_ptr<SqliteExport> self(new SqliteExport(std::move(file)));
  sqlite3* database = nullptr;
  const int opened = sqlite3_open_v2(self->file_->working_path().c_str(), &database, SQLITE_OPEN_READWRITE, nullptr);
  self->database_.reset(database);
  if (opened != SQLITE_OK) return self->failure();
  // A file that fails is thrown away whole: no journal, no waiting for the disk.
  const Status begun =
      self->execute(fmt::format("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE; "
                                "PRAGMA user_version = {}; BEGIN",
                                kExportVersion));
  if (!begun) return begun.error();
  return self;
}

Status SqliteExport::begin(const log::TableInfo& table) {
  if (const Status created = execute(create_statement(table)); !created) return created;
  has_names_ = has_names_ || is_names(table);
  sqlite3_stmt* statement = nullptr;
  const std::string sql = insert_statement(table);
  if (sqlite3_prepare_v2(database_.get(), sql.c_str(), -1, &statement, nullptr) != SQLITE_OK) return failure();
  insert_.reset(statement);
  return {};
}

Status SqliteExport::add(const log::TableInfo& /*table*/, const Chunk& chunk) {
  sqlite3_stmt* const statement = insert_.get();
  for (std::size_t row = 0; row < chunk.rows(); ++row) {
    int column_number = 0;
    for (const ColumnData& column : chunk.columns()) {
      if (bind(statement, ++column_number, column, row) != SQLITE_OK) return failure();
    }
    if (sqlite3_step(statement) != SQLITE_DONE) return failure();
    sqlite3_reset(statement);
  }
  return {};
}

// Indices are made when the rows are there: one sort instead of a search a row.
Status SqliteExport::end(const log::TableInfo& table) {
  insert_.reset();
  if (table.role == TableRole::kLog) return {};
  std::string sql =
      fmt::format("CREATE INDEX {} ON {} (record_id, rank);", sql_name(table.name + "_record"), sql_name(table.name));
  if (table.role == TableRole::kTrace) {
    sql += fmt::format("CREATE INDEX {} ON {} (start_time);", sql_name(table.name + "_start"), sql_name(table.name));
  }
  const bool named = table.find("name") < table.columns.size();
  if (!named && has_names_) {
    sql += fmt::format(
        "CREATE VIEW {} AS SELECT names.name, names.mount, names.fs_type, items.* FROM {} AS items "
        "LEFT JOIN names USING (record_id);",
        sql_name(table.name + "_named"), sql_name(table.name));
  }
  return execute(sql);
}

Status SqliteExport::finish() {
  if (const Status committed = execute("COMMIT"); !committed) return committed;
  const int closed = sqlite3_close(database_.release());
  if (closed != SQLITE_OK) return Error{.code = ErrorCode::kSystem, .what = "SQLite cannot close the database"};
  return file_->keep();
}

}  // namespace trikal::report
