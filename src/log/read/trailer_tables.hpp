#pragma once
// The trailer's sections as tables. They describe themselves, so any of them can be shown, whoever wrote it.

#include "log/read/columns.hpp"

namespace trikal::log {

// `tables` are those there are already: no name is given twice. Sections that only help reading are left out.
void add_trailer_tables(Reader& reader, std::vector<TableInfo>& tables, const TableOptions& options);

[[nodiscard]] Result<std::unique_ptr<TableStream>> open_trailer_table(Reader& reader, const TableInfo& table,
                                                                      const TableOptions& options);

}  // namespace trikal::log
