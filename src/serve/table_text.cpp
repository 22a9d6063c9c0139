#include "serve/table_text.hpp"

#include <fmt/format.h>

namespace trikal::serve {
namespace {

std::string quoted(const std::string& cell) {
  if (cell.find_first_of(",\"\r\n") == std::string::npos) return cell;
  std::string text = "\"";
  for (const char c : cell) text += c == '"' ? "\"\"" : std::string(1, c);
  return text + "\"";
}

}  // namespace

void put_json(report::JsonWriter& json, const storage::Value& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) json.value(*number);
  else if (const auto* real = std::get_if<double>(&value)) json.value(*real);
  else if (const auto* text = std::get_if<std::string>(&value)) json.value(std::string_view(*text));
  else json.null();
}

std::string text_of(const storage::Value& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) return fmt::format("{}", *number);
  if (const auto* real = std::get_if<double>(&value)) return fmt::format("{}", *real);
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  return "";
}

std::string csv_line(const std::vector<std::string>& cells) {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) line += (i == 0 ? "" : ",") + quoted(cells[i]);
  return line + "\n";
}

std::string csv_line(const storage::Row& row) {
  std::vector<std::string> cells;
  cells.reserve(row.size());
  for (const storage::Value& value : row) cells.push_back(text_of(value));
  return csv_line(cells);
}

void put_table(report::JsonWriter& json, const storage::Table& table) {
  json.key("columns");
  json.open_array();
  for (const std::string& column : table.columns) json.value(std::string_view(column));
  json.close();
  json.key("rows");
  json.open_array();
  for (const storage::Row& row : table.rows) {
    json.open_array();
    for (const storage::Value& value : row) put_json(json, value);
    json.close();
  }
  json.close();
}

std::string csv_of(const storage::Table& table) {
  std::string text = csv_line(table.columns);
  for (const storage::Row& row : table.rows) text += csv_line(row);
  return text;
}

}  // namespace trikal::serve
