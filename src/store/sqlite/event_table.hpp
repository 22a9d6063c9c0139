#pragma once
// The table `event_rows` of SQL: events of chunks, one a row, read only. The view `events` is made of it.

#include <sqlite3.h>

namespace trikal::storage {

// For one connection. False: it has no memory.
[[nodiscard]] bool add_event_table(sqlite3* database);

}  // namespace trikal::storage
