#include "report/json/json_export.hpp"

#include <bit>

namespace trikal::report {
namespace {

std::string_view role_name(TableRole role) {
  switch (role) {
    case TableRole::kLog: return "log";
    case TableRole::kRecords: return "records";
    case TableRole::kItems: return "items";
    case TableRole::kTrace: return "trace";
    case TableRole::kTimeline: return "timeline";
  }
  return "";
}

void put_cell(JsonWriter& json, const ColumnData& column, bool is_id, std::size_t row) {
  switch (column.type) {
    case CellType::kI64: return json.value(static_cast<std::int64_t>(column.words[row]));
    case CellType::kU64:
      if (is_id) return json.value(std::to_string(column.words[row]));
      return json.value(column.words[row]);
    case CellType::kF64: return json.value(std::bit_cast<double>(column.words[row]));
    case CellType::kText:
      if (column.has(row)) json.value(column.text_at(row));
      else json.null();
  }
}

}  // namespace

Status JsonExport::open_document() {
  auto opened = output_.open("");
  if (!opened) return opened.error();
  out_ = *opened;
  json_ = std::make_unique<JsonWriter>(*out_);
  json_->open_object();
  json_->field("trikal_export", kExportVersion);
  json_->field("generator", generator_);
  json_->line();
  json_->key("tables");
  json_->open_object();
  return {};
}

Status JsonExport::begin(const log::TableInfo& table) {
  if (!json_) {
    if (const Status opened = open_document(); !opened) return opened;
  }
  json_->line();
  json_->key(table.name);
  json_->open_object();
  json_->field("help", table.help);
  json_->field("role", role_name(table.role));
  json_->key("module");
  if (table.module != nullptr) json_->value(table.module->schema->name);
  else json_->null();
  json_->key("columns");
  json_->open_array();
  for (const log::ColumnInfo& column : table.columns) {
    json_->line();
    json_->open_object();
    json_->field("name", column.name);
    json_->field("type", type_name(column.type));
    json_->field("unit", unit_name(column.unit));
    json_->field("help", column.help);
    json_->close();
  }
  json_->close();
  json_->line();
  json_->key("rows");
  json_->open_array();
  return {};
}

Status JsonExport::add(const log::TableInfo& table, const Chunk& chunk) {
  for (std::size_t row = 0; row < chunk.rows(); ++row) {
    json_->line();
    json_->open_array();
    for (std::size_t i = 0; i < chunk.columns().size(); ++i) {
      put_cell(*json_, chunk.columns()[i], table.columns[i].unit == Unit::kId, row);
    }
    json_->close();
  }
  return out_->wanted() ? Status{} : out_->flush();
}

// The array of rows, then the table.
Status JsonExport::end(const log::TableInfo& /*table*/) {
  json_->close();
  json_->close();
  return {};
}

// The object of tables, then the document.
Status JsonExport::finish() {
  if (!json_) {
    if (const Status opened = open_document(); !opened) return opened;
  }
  json_->close();
  json_->close();
  out_->put("\n");
  return output_.close();
}

}  // namespace trikal::report
