#pragma once
// Tables as an SQLite database: one table each, one transaction, indices on what is joined.
//  - Numbers are INTEGER or REAL. SQLite's integers are signed: ids above 2^63 (record_id, thread ...) are stored
//    as the negative number with the same 64 bits, the same in every table, so that they join. printf('%u', id)
//    shows them as other tools do. NaN is NULL.
//  - Tables of items (segments, bins ...) carry no names; the view TABLE_named has them joined.
//  - user_version is the version of the export.

#include <memory>

#include "report/output.hpp"
#include "report/tables.hpp"

struct sqlite3;
struct sqlite3_stmt;

namespace trikal::report {

class SqliteExport final : public TableWriter {
 public:
  // Written to `file`, which must be empty; kept when finish() succeeds.
  static Result<std::unique_ptr<SqliteExport>> open(std::unique_ptr<OutputFile> file);

  Status begin(const log::TableInfo& table) override;
  Status add(const log::TableInfo& table, const Chunk& chunk) override;
  Status end(const log::TableInfo& table) override;
  Status finish() override;

  // What SQLite said about the last error.
  [[nodiscard]] std::string message() const;

 private:
  struct CloseDatabase {
    void operator()(sqlite3* database) const;
  };
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };

  explicit SqliteExport(std::unique_ptr<OutputFile> file) : file_(std::move(file)) {}
  Status execute(const std::string& sql);
  [[nodiscard]] Error failure() const;

  std::unique_ptr<OutputFile> file_;
  std::unique_ptr<sqlite3, CloseDatabase> database_;
  std::unique_ptr<sqlite3_stmt, Finalize> insert_;
  bool has_names_ = false;
};

}  // namespace trikal::report
