#pragma once
// A log as tables of columns, a bounded number of rows at a time, without any text in between.
//
//   for (const TableInfo& table : tables_of(reader, options)) {
//     auto rows = open_table(reader, table, options);
//     Chunk chunk;
//     for (;;) { auto more = (*rows)->next(chunk); if (!more) return more.error(); if (!*more) break; ... }
//   }
//
// Tables: one a module with a row a record (record_id, rank, fields, counters by their names), those a module adds
// for what its records hold (dxt_posix_segments, heatmap_bins ...), those of the trailer (processes ...), and the
// log's own: job, metadata, mounts, modules, columns, names, damage.

#include <memory>
#include <string>
#include <vector>

#include "log/read/reader.hpp"
#include "schema/chunk.hpp"
#include "schema/table.hpp"

namespace trikal::log {

struct ColumnInfo {
  std::string name;
  CellType type = CellType::kI64;
  Unit unit = Unit::kNone;
  std::string help;
  bool nullable = false;
};

struct LogTable;

struct TableInfo {
  std::string name;
  std::string help;
  TableRole role = TableRole::kLog;
  std::vector<ColumnInfo> columns;
  // What it is made from: a module (and one of its item tables), the log, or a section of its trailer.
  const ModuleFormat* module = nullptr;
  const ItemTable* items = nullptr;
  const LogTable* own = nullptr;
  std::string section;

  // Its index in `columns`, or their number.
  [[nodiscard]] std::size_t find(std::string_view column) const;
};

// Which tables have the columns name, mount and fs_type beside each record's id. A record without a name has none
// (null), and likewise for mounts.
enum class NameColumns : std::uint8_t { kNone, kRecords, kAll };

struct TableOptions {
  NameColumns names = NameColumns::kAll;
  Chunk::Text text = Chunk::Text::kUtf8;
  std::size_t rows = 65536;  // of a chunk, at most
};

class TableStream {
 public:
  virtual ~TableStream() = default;
  // False at the end. On an error, every row before it has been handed out.
  virtual Result<bool> next(Chunk& chunk) = 0;
};

// Every table of a log that has data, the log's own first; `damage` is the last, since reading fills it.
[[nodiscard]] std::vector<TableInfo> tables_of(Reader& reader, const TableOptions& options);
// The tables of one module, whether or not a log has data of it.
[[nodiscard]] std::vector<TableInfo> tables_of(const ModuleFormat& format, const TableOptions& options);

// The reader must outlive the stream. `table` must come from tables_of with the same options.
[[nodiscard]] Result<std::unique_ptr<TableStream>> open_table(Reader& reader, const TableInfo& table,
                                                              const TableOptions& options);

}  // namespace trikal::log
