#pragma once
// Tables of a store as JSON and CSV.

#include <string>
#include <vector>

#include "report/json/writer.hpp"
#include "store/store.hpp"

namespace trikal::serve {

void put_json(report::JsonWriter& json, const storage::Value& value);
[[nodiscard]] std::string text_of(const storage::Value& value);
[[nodiscard]] std::string csv_line(const std::vector<std::string>& cells);
[[nodiscard]] std::string csv_line(const storage::Row& row);

// {"columns": [...], "rows": [[...], ...]}; fields of the caller's may stand before.
void put_table(report::JsonWriter& json, const storage::Table& table);
[[nodiscard]] std::string csv_of(const storage::Table& table);

}  // namespace trikal::serve
