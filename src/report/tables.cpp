#include "report/tables.hpp"

namespace trikal::report {
namespace {

ExportStatus write_table(log::Reader& reader, const log::TableInfo& table, const log::TableOptions& options,
                         TableWriter& writer, Progress& progress) {
  auto rows = log::open_table(reader, table, options);
  if (!rows) return {.read = rows.error()};
  if (const Status begun = writer.begin(table); !begun) return {.written = begun};
  Chunk chunk;
  std::uint64_t count = 0;
  for (;;) {
    progress.at(table.name, count);
    auto more = (*rows)->next(chunk);
    if (!more) return {.read = more.error()};
    if (!*more) break;
    if (const Status added = writer.add(table, chunk); !added) return {.written = added};
    count += chunk.rows();
  }
  return {.written = writer.end(table)};
}

}  // namespace

ExportStatus write_tables(log::Reader& reader, std::span<const log::TableInfo> tables, const log::TableOptions& options,
                          TableWriter& writer, Progress& progress) {
  for (const log::TableInfo& table : tables) {
    const ExportStatus status = write_table(reader, table, options, writer, progress);
    if (!status.read.ok() || !status.written.ok()) return status;
  }
  return {.written = writer.finish()};
}

}  // namespace trikal::report
