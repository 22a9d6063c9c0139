#include "store/sqlite/event_scan.hpp"

#include <fmt/format.h>

namespace trikal::storage {
namespace {

using stream::EventColumn;

constexpr std::int64_t kUnknown = INT64_MAX;  // how long the longest event of a chunk took

std::string chunks_sql(const EventSelection& selection) {
  // Without an index, because sorting would be of the chunks themselves.
  if (selection.as_stored)
    return fmt::format("SELECT id, run, process, rank, data, {} FROM event_chunk NOT INDEXED WHERE {} ORDER BY id",
                       INT64_MIN, chunk_conditions(selection));
  if (!selection.longest_first)
    return "SELECT id, run, process, rank, data, first FROM event_chunk WHERE " + chunk_conditions(selection) +
           " ORDER BY first";
  return fmt::format(
      "SELECT id, run, process, rank, data, coalesce(longest, {}) AS bound FROM event_chunk LEFT JOIN event_sum ON "
      "event_sum.chunk = event_chunk.id WHERE {} ORDER BY bound DESC",
      kUnknown, chunk_conditions(selection));
}

}  // namespace

// Numbers are written out, so that no plan is for values that are not there.
std::string chunk_conditions(const EventSelection& selection) {
  std::string sql = "1";
  if (selection.chunk) sql += fmt::format(" AND id = {}", *selection.chunk);
  if (selection.run) sql += fmt::format(" AND run = {}", *selection.run);
  if (selection.process) sql += fmt::format(" AND process = {}", *selection.process);
  if (selection.rank) sql += fmt::format(" AND rank = {}", *selection.rank);
  if (selection.to != INT64_MAX) sql += fmt::format(" AND first <= {}", selection.to);
  if (selection.from != INT64_MIN) sql += fmt::format(" AND last >= {}", selection.from);
  return sql;
}

int EventScan::begin(const EventSelection& selection, std::uint32_t columns) {
  selection_ = selection;
  columns_ = columns | bit_of(EventColumn::kBegin);
  row_ = count_ = 0;
  damage_.clear();
  chunks_ = Statement(database_, chunks_sql(selection));
  return chunks_ ? SQLITE_OK : sqlite3_errcode(database_);
}

int EventScan::next() {
  for (++row_;; ++row_) {
    while (row_ >= count_) {
      if (const int step = next_chunk(); step != SQLITE_ROW) return step;
    }
    const std::int64_t begin = value(EventColumn::kBegin);
    if (begin >= selection_.from && begin <= selection_.to) return SQLITE_ROW;
  }
}

int EventScan::next_chunk() {
  row_ = count_ = 0;
  const int step = chunks_.step();
  if (step != SQLITE_ROW) return step;
  chunk_ = chunks_.number(0), run_ = chunks_.number(1), process_ = chunks_.number(2), rank_ = chunks_.number(3),
  bound_ = chunks_.number(5);
  return decode(chunks_.bytes(4)) ? SQLITE_ROW : SQLITE_CORRUPT;
}

bool EventScan::decode(Bytes data) {
  const auto chunk = EventChunk::open(data);
  bool ok = chunk.ok();
  for (std::size_t i = 0; ok && i < values_.size(); ++i) {
    if ((columns_ >> i & 1) != 0) ok = chunk->columns().values(static_cast<EventColumn>(i), values_[i]);
    else values_[i].clear();
  }
  if (ok) count_ = chunk->columns().count();
  else damage_ = fmt::format("event chunk {} is damaged: {}", chunk_, chunk ? "a column is cut" : chunk.error().what);
  return ok;
}

}  // namespace trikal::storage
