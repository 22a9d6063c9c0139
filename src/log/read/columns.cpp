#include "log/read/columns.hpp"

#include <algorithm>
#include <cctype>

#include "log/read/log_tables.hpp"
#include "log/read/module_rows.hpp"
#include "log/read/trailer_tables.hpp"
#include "modules/list.hpp"

namespace trikal::log {
namespace {

// "MPI-IO" is mpiio, "BG/Q" bgq: names that SQL takes without quotes.
std::string table_name(const ModuleSchema& schema) {
  std::string name;
  for (const char c : schema.name) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_') name += static_cast<char>(std::tolower(c));
  }
  return name;
}

ColumnInfo column_of(const TableColumn& column) {
  return {std::string(column.name), column.type, column.unit, std::string(column.help)};
}

// The columns every table of a module begins with.
void add_base_columns(TableInfo& table, NameColumns names) {
  table.columns.push_back({"record_id", CellType::kU64, Unit::kId, "the record: the hash of its name"});
  table.columns.push_back({"rank", CellType::kI64, Unit::kRank, "the MPI rank; -1: all ranks, folded into one record"});
  const bool named =
      names == NameColumns::kAll || (names == NameColumns::kRecords && table.role == TableRole::kRecords);
  if (!named) return;
  const std::pair<const char*, const char*> texts[] = {{"name", "the file, or what else the record is about"},
                                                       {"mount", "where the file system it is on is mounted"},
                                                       {"fs_type", "the kind of that file system"}};
  for (const auto& [name, help] : texts) table.columns.push_back({name, CellType::kText, Unit::kNone, help, true});
}

ColumnInfo column_of(const Field& field) {
  ColumnInfo column{std::string(field.name), CellType::kI64, Unit::kNone, std::string(field.help)};
  switch (field.type) {
    case Field::Type::kI64: break;
    case Field::Type::kU64: column.type = CellType::kU64, column.unit = Unit::kId; break;
    case Field::Type::kF64: column.type = CellType::kF64; break;
    case Field::Type::kText:
    case Field::Type::kUuid: column.type = CellType::kText; break;
  }
  return column;
}

// In the order of values_of.
void add_schema_columns(TableInfo& table, const ModuleSchema& schema) {
  for (const Field& field : schema.fields) table.columns.push_back(column_of(field));
  for (const Counter& counter : schema.counters) {
    const CellType type = counter.kind == Kind::kReal   ? CellType::kF64
                          : counter.kind == Kind::kUint ? CellType::kU64
                                                        : CellType::kI64;
    for (std::size_t i = 0; i < counter.width(); ++i) {
      table.columns.push_back({bucket_name(counter, i), type, counter.unit, std::string(counter.help)});
    }
  }
}

TableInfo info_of(const LogTable& own) {
  TableInfo table{.name = std::string(own.name), .help = std::string(own.help), .own = &own};
  for (std::size_t i = 0; i < own.columns.size(); ++i) {
    table.columns.push_back(column_of(own.columns[i]));
    table.columns.back().nullable = ((own.nullable >> i) & 1) != 0;
  }
  return table;
}

}  // namespace

std::size_t TableInfo::find(std::string_view column) const {
  const auto at = std::ranges::find(columns, column, &ColumnInfo::name);
  return static_cast<std::size_t>(at - columns.begin());
}

std::vector<TableInfo> tables_of(const ModuleFormat& format, const TableOptions& options) {
  const ModuleSchema& schema = *format.schema;
  std::vector<TableInfo> tables;
  TableInfo records{
      .name = table_name(schema), .help = std::string(schema.help), .role = TableRole::kRecords, .module = &format};
  add_base_columns(records, options.names);
  add_schema_columns(records, schema);
  tables.push_back(std::move(records));
  if (format.tables == nullptr) return tables;
  for (const ItemTable& items : format.tables->items) {
    TableInfo table{.name = table_name(schema) + "_" + std::string(items.suffix),
                    .help = std::string(items.help),
                    .role = items.role,
                    .module = &format,
                    .items = &items};
    add_base_columns(table, options.names);
    for (const TableColumn& column : items.columns) table.columns.push_back(column_of(column));
    tables.push_back(std::move(table));
  }
  return tables;
}

std::vector<TableInfo> tables_of(Reader& reader, const TableOptions& options) {
  std::vector<TableInfo> tables;
  for (const LogTable& own : leading_log_tables()) tables.push_back(info_of(own));
  for (const ModuleId id : reader.modules()) {
    for (TableInfo& table : tables_of(*find_module(id), options)) tables.push_back(std::move(table));
  }
  add_trailer_tables(reader, tables, options);
  tables.push_back(info_of(damage_table()));
  return tables;
}

Result<std::unique_ptr<TableStream>> open_table(Reader& reader, const TableInfo& table, const TableOptions& options) {
  if (table.module != nullptr) return open_module_table(reader, table, options);
  if (table.own == nullptr) return open_trailer_table(reader, table, options);
  return open_log_table(reader, table, options);
}

}  // namespace trikal::log
