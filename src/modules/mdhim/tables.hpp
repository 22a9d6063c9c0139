#pragma once
// Which servers a store's operations went to: a row a server.

#include "modules/mdhim/schema.hpp"
#include "schema/table.hpp"

namespace trikal::modules::mdhim {

inline constexpr TableColumn kServerColumns[] = {
    {"server", CellType::kI64, Unit::kNone, "number of the server, from 0"},
    {"operations", CellType::kI64, Unit::kCalls, "puts and gets that went to it"},
};

// A record has space for one server even where there is none.
inline std::uint64_t server_rows(const RecordPart& part) {
  const auto servers = load<std::int64_t>(part.record.data() + kServersAt);
  return servers > 0 ? static_cast<std::uint64_t>(servers) : 0;
}

inline void fill_servers(const RecordPart& part, std::uint64_t first, RowBlock& rows) {
  std::uint64_t* const server = rows.words(0);
  std::uint64_t* const operations = rows.words(1);
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    server[i] = first + i;
    operations[i] = load<std::uint64_t>(part.record.data() + kHeadBytes + 8 * (first + i));
  }
}

inline constexpr ItemTable kItemTables[] = {
    {"servers", TableRole::kItems, "operations that went to each server", kServerColumns, server_rows, fill_servers},
};
inline constexpr ModuleTables kTables = {.items = kItemTables};

}  // namespace trikal::modules::mdhim
