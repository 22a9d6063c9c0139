#include "log/copy_trailer.hpp"

#include <algorithm>

#include "log/trailer/extension_modules.hpp"
#include "log/trailer/segment_threads.hpp"
#include "log/trailer/streams.hpp"

namespace trikal::log {
namespace {

// False: the row is about another record.
bool concerns(std::span<const Cell> row, const Section& section, std::uint64_t record) {
  bool mentions = false;
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (section.columns[i].unit != kUnitRecordId || is_text(row[i].type)) continue;
    if (row[i].u64() == record) return true;
    mentions = true;
  }
  return !mentions;
}

Cell edited(Cell cell, std::string_view unit, const RowEdit& edit) {
  if (unit == kUnitRank && edit.rank_shift && cell.type != ColumnType::kF64 && cell.i64() >= 0) {
    cell.word += static_cast<std::uint64_t>(*edit.rank_shift);
  }
  if (unit == kUnitTimestamp && cell.type == ColumnType::kF64 && cell.f64() > 0) {
    cell.word = std::bit_cast<std::uint64_t>(cell.f64() + edit.shift);
  }
  return cell;
}

}  // namespace

bool describes_the_file(std::string_view section) {
  return section == kStreamsSection.name || section == kSegmentThreadsSection.name ||
         section == kExtensionModulesSection.name || section == kExtensionColumnsSection.name;
}

Result<bool> SectionCopier::begin(const Section& section) {
  Held& held = held_.emplace_back(Held{.section = section});
  for (std::size_t i = 0; i < section.columns.size(); ++i) {
    const Section::ColumnText& column = held.section.columns[i];
    if (!text_ && is_text(column.type)) continue;
    held.columns.push_back({column.name, column.type, column.unit, column.help});
    held.indexes.push_back(i);
  }
  if (held.columns.empty()) return false;
  const Status begun = trailer_.begin_section({held.section.name, held.section.help, held.columns});
  if (!begun) return begun.error();
  return true;
}

Status SectionCopier::add(const Trailer& from, const Section& section, const RowEdit& edit,
                          std::optional<Error>& unreadable) {
  auto rows = from.rows(section);
  if (!rows) {
    unreadable = rows.error();
    return {};
  }
  std::span<const Cell> row;
  for (;;) {
    auto more = (*rows)->next(row);
    if (!more) unreadable = more.error();
    if (!more || !*more) return {};
    if (edit.record && !concerns(row, section, *edit.record)) continue;
    const Status done = put_row(row, edit);
    if (!done) return done;
  }
}

Status SectionCopier::put_row(std::span<const Cell> row, const RowEdit& edit) {
  const Held& held = held_.back();
  for (std::size_t i = 0; i < held.columns.size(); ++i) {
    const Column& column = held.columns[i];
    const Cell cell = edited(row[held.indexes[i]], column.unit, edit);
    Status done;
    switch (column.type) {
      case ColumnType::kI64: done = trailer_.put_i64(cell.i64()); break;
      case ColumnType::kU64: done = trailer_.put_u64(cell.u64()); break;
      case ColumnType::kF64: done = trailer_.put_f64(cell.f64()); break;
      case ColumnType::kText: done = trailer_.put_text(cell.text); break;
      case ColumnType::kBytes: done = trailer_.put_bytes(std::as_bytes(std::span{cell.text})); break;
    }
    if (!done) return done;
  }
  return {};
}

}  // namespace trikal::log
