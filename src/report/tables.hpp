#pragma once
// Tables of a log on their way into a format: what the CSV, JSON, SQLite and Arrow writers have in common.

#include <span>

#include "log/read/columns.hpp"

namespace trikal::report {

// The version of what export writes: names of tables and columns, and the shape of the JSON document.
inline constexpr int kExportVersion = 1;

class TableWriter {
 public:
  virtual ~TableWriter() = default;
  // For each table: begin, any number of adds, end.
  virtual Status begin(const log::TableInfo& table) = 0;
  virtual Status add(const log::TableInfo& table, const Chunk& chunk) = 0;
  virtual Status end(const log::TableInfo& table) = 0;
  // After the last table.
  virtual Status finish() = 0;
};

// Somebody who wants to know how far it is.
class Progress {
 public:
  virtual ~Progress() = default;
  virtual void at(std::string_view table, std::uint64_t rows) = 0;
};

// Which of the two went wrong: reading the log, or writing the tables.
struct ExportStatus {
  Status read;
  Status written;
};

[[nodiscard]] ExportStatus write_tables(log::Reader& reader, std::span<const log::TableInfo> tables,
                                        const log::TableOptions& options, TableWriter& writer, Progress& progress);

}  // namespace trikal::report
