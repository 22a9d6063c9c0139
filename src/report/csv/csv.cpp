#include "report/csv/csv.hpp"

#include <bit>

#include "report/csv/csv_text.hpp"
#include "report/shortest.hpp"

namespace trikal::report {
namespace {

void put_cell(Sink& out, const ColumnData& column, std::size_t row) {
  switch (column.type) {
    case CellType::kI64: return out.put_int(static_cast<std::int64_t>(column.words[row]));
    case CellType::kU64: return out.put_uint(column.words[row]);
    case CellType::kF64: return put_shortest(out, std::bit_cast<double>(column.words[row]));
    case CellType::kText:
      if (column.has(row)) put_csv_text(out, column.text_at(row));
      return;
  }
}

}  // namespace

Status CsvWriter::begin(const log::TableInfo& table) {
  auto opened = output_.open(table.name);
  if (!opened) return opened.error();
  out_ = *opened;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (i > 0) out_->put(",");
    put_csv_text(*out_, table.columns[i].name);
  }
  out_->put("\n");
  return {};
}

Status CsvWriter::add(const log::TableInfo& /*table*/, const Chunk& chunk) {
  for (std::size_t row = 0; row < chunk.rows(); ++row) {
    const char* before = "";
    for (const ColumnData& column : chunk.columns()) {
      out_->put(before);
      before = ",";
      put_cell(*out_, column, row);
    }
    out_->put("\n");
  }
  return out_->wanted() ? Status{} : out_->flush();
}

Status CsvWriter::end(const log::TableInfo& /*table*/) { return output_.close(); }

}  // namespace trikal::report
