#pragma once
// Rows of a module's tables out of its records; see columns.hpp.

#include "log/read/columns.hpp"

namespace trikal::log {

[[nodiscard]] Result<std::unique_ptr<TableStream>> open_module_table(Reader& reader, const TableInfo& table,
                                                                     const TableOptions& options);

// Where a table made from a schema has its values: in the order of its columns, behind id, rank and names.
struct RecordValue {
  enum class How : std::uint8_t { kWord, kText, kUuid };
  How how = How::kWord;
  std::uint32_t at = 0;  // in the record
  std::uint32_t bytes = 8;
};
[[nodiscard]] std::vector<RecordValue> values_of(const ModuleSchema& schema);

}  // namespace trikal::log
