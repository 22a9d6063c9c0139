#pragma once
// The tables and views of a store in SQLite, and how those of an older version become the current ones.

#include <sqlite3.h>

#include <span>

#include "base/result.hpp"

namespace trikal::storage {

inline constexpr int kApplication = 0x54524b53;  // "TRKS", SQLite's application_id

// What makes version N of version N - 1; a new file is version 0.
[[nodiscard]] std::span<const char* const> schema_steps();

// Up to `version`, by default the newest. Refuses a database of somebody else and of a later version of trikal.
[[nodiscard]] Status prepare_schema(sqlite3* database, int version = 0);
// The same for who only reads: nothing is changed.
[[nodiscard]] Status check_schema(sqlite3* database);

}  // namespace trikal::storage
