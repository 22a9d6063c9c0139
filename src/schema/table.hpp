#pragma once
// A module's data as tables. Every module has one table with a row a record, made from its schema. Records that
// hold lists (trace segments, bins, components) give further tables, a row an item: a module describes those in
// modules/<m>/tables.hpp, and no tool knows which module it reads.

#include <cstdint>
#include <span>
#include <string_view>

#include "base/bytes.hpp"
#include "schema/chunk.hpp"
#include "schema/counter.hpp"

namespace trikal {

// What a table's rows are; tools that need a meaning ask for it instead of for a module.
enum class TableRole : std::uint8_t {
  kLog,       // about the log itself
  kRecords,   // a row a record
  kItems,     // a row an item of a record
  kTrace,  // items are accesses in time. Columns: hostname, direction, segment, offset, length, start_time, end_time, thread
  kTimeline,  // items are slices of time. Columns: bin, start_time, width, read_bytes, write_bytes
};

struct TableColumn {
  std::string_view name;
  CellType type = CellType::kI64;
  Unit unit = Unit::kNone;
  std::string_view help;
};

// A record, or (sliced modules) its head and some of its items.
struct RecordPart {
  Bytes record;
  Bytes items;
  std::uint64_t first_item = 0;
};

struct ItemTable {
  std::string_view suffix;  // the table is called <module>_<suffix>
  TableRole role = TableRole::kItems;
  std::string_view help;
  std::span<const TableColumn> columns;  // behind the record's id and rank, which every table has
  std::uint64_t (*row_count)(const RecordPart& part);
  // Rows first to first + rows.rows() of those.
  void (*fill)(const RecordPart& part, std::uint64_t first, RowBlock& rows);
};

struct ModuleTables {
  // Whether a record is one the schema's counters and fields describe. Null: all are.
  bool (*described)(Bytes record) = nullptr;
  std::span<const ItemTable> items;
};

constexpr std::string_view unit_name(Unit unit) {
  switch (unit) {
    case Unit::kNone: return "";
    case Unit::kCalls: return "calls";
    case Unit::kBytes: return "bytes";
    case Unit::kOffset: return "byte offset";
    case Unit::kSeconds: return "seconds";
    case Unit::kTimestamp: return "seconds since start";
    case Unit::kRank: return "rank";
    case Unit::kId: return "id";
    case Unit::kFlag: return "0 or 1";
    case Unit::kMode: return "bits";
    case Unit::kElements: return "elements";
  }
  return "";
}

constexpr std::string_view type_name(CellType type) {
  switch (type) {
    case CellType::kI64: return "int64";
    case CellType::kU64: return "uint64";
    case CellType::kF64: return "float64";
    case CellType::kText: return "text";
  }
  return "";
}

}  // namespace trikal
