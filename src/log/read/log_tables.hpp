#pragma once
// The tables that are about the log itself; columns.cpp lists them among the modules'.

#include "log/read/columns.hpp"

namespace trikal::log {

struct LogTable {
  std::string_view name;
  std::string_view help;
  std::span<const TableColumn> columns;
  std::uint64_t nullable;  // bit i: column i may be missing
  // All rows at once; null: the names, which come in chunks.
  void (*fill)(Reader& reader, const TableOptions& options, Chunk& chunk);
};

// Those that come before the modules' tables, and the one behind them.
[[nodiscard]] std::span<const LogTable> leading_log_tables();
[[nodiscard]] const LogTable& damage_table();

[[nodiscard]] std::unique_ptr<TableStream> open_log_table(Reader& reader, const TableInfo& table,
                                                          const TableOptions& options);

// Text in one chunk beyond this ends it, whatever the number of rows: names can be long.
inline constexpr std::size_t kChunkText = 16U << 20;

// The types of a table's columns, for Chunk::reset.
[[nodiscard]] std::vector<CellType> types_of(const TableInfo& table);

}  // namespace trikal::log
