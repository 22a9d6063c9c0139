#pragma once
// Rows of the trailer's sections, for whoever knows the columns.

#include <cmath>
#include <functional>
#include <string>

#include "log/read/reader.hpp"

namespace trikal::analyze {

// One row, its cells by the names of their columns.
class TrailerRow {
 public:
  TrailerRow(const log::Section& section, std::span<const log::Cell> cells) : section_(section), cells_(cells) {}
  [[nodiscard]] std::int64_t count(std::string_view column) const {
    const log::Cell* cell = find(column);
    return cell == nullptr ? 0 : cell->i64();
  }
  [[nodiscard]] double real(std::string_view column) const {
    const log::Cell* cell = find(column);
    const double value = cell == nullptr || cell->type != log::ColumnType::kF64 ? 0 : cell->f64();
    return std::isfinite(value) ? value : 0;
  }
  [[nodiscard]] std::string text(std::string_view column) const {
    const log::Cell* cell = find(column);
    return cell == nullptr ? std::string() : std::string(cell->text);
  }

 private:
  [[nodiscard]] const log::Cell* find(std::string_view column) const {
    const std::size_t at = section_.column(column);
    return at < cells_.size() ? &cells_[at] : nullptr;
  }
  const log::Section& section_;
  std::span<const log::Cell> cells_;
};

// Nothing where there is no such section; up to the damage where it is damaged.
inline void for_each_row(log::Reader& reader, std::string_view name,
                         const std::function<void(const TrailerRow&)>& take) {
  const log::Trailer* trailer = reader.trailer();
  const log::Section* section = trailer != nullptr ? trailer->find(name) : nullptr;
  if (section == nullptr) return;
  auto rows = trailer->rows(*section);
  std::span<const log::Cell> cells;
  while (rows) {
    const auto more = (*rows)->next(cells);
    if (!more || !*more) return;
    take(TrailerRow(*section, cells));
  }
}

}  // namespace trikal::analyze
