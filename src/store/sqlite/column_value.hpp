#pragma once
// Values of rows and parameters, between SQLite and the store's own type.

#include <sqlite3.h>

#include "store/store.hpp"

namespace trikal::storage {

[[nodiscard]] inline Value value_of(sqlite3_stmt* statement, int column) {
  switch (sqlite3_column_type(statement, column)) {
    case SQLITE_INTEGER: return sqlite3_column_int64(statement, column);
    case SQLITE_FLOAT: return sqlite3_column_double(statement, column);
    case SQLITE_NULL: return std::monostate{};
    default: break;
  }
  const auto* text = static_cast<const char*>(sqlite3_column_blob(statement, column));
  return text == nullptr ? std::string()
                         : std::string(text, static_cast<std::size_t>(sqlite3_column_bytes(statement, column)));
}

// The value must stay until the statement has run.
inline void bind_value(sqlite3_stmt* statement, int at, const Value& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) sqlite3_bind_int64(statement, at, *number);
  else if (const auto* real = std::get_if<double>(&value)) sqlite3_bind_double(statement, at, *real);
  else if (const auto* text = std::get_if<std::string>(&value))
    sqlite3_bind_text(statement, at, text->data(), static_cast<int>(text->size()), SQLITE_STATIC);
}

}  // namespace trikal::storage
