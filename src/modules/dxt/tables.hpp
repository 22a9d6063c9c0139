#pragma once
// A trace as a table: a row a segment.

#include <bit>

#include "modules/dxt/segments.hpp"
#include "schema/record_view.hpp"
#include "schema/table.hpp"

namespace trikal::modules::dxt {

inline constexpr TableColumn kSegmentColumns[] = {
    {"hostname", CellType::kText, Unit::kNone, "the node the rank ran on"},
    {"direction", CellType::kText, Unit::kNone, "write or read"},
    {"segment", CellType::kI64, Unit::kNone, "number of the access among those of its direction"},
    {"offset", CellType::kI64, Unit::kOffset, "where in the file; -1 if the log does not say"},
    {"length", CellType::kI64, Unit::kBytes, "how much"},
    {"start_time", CellType::kF64, Unit::kTimestamp, "when it began"},
    {"end_time", CellType::kF64, Unit::kTimestamp, "when it ended"},
    {"thread", CellType::kU64, Unit::kId, "the thread that did it; 0 if the log does not say"},
};

inline std::uint64_t segment_rows(const RecordPart& part) { return part.items.size() / kSegmentBytes; }

inline void fill_segments(const RecordPart& part, std::uint64_t first, RowBlock& rows) {
  const auto writes = load<std::uint64_t>(part.record.data() + kWritesAt);
  const std::string_view host = field_text(part.record.data() + kHostAt, kHostBytes);
  std::uint64_t* const index = rows.words(2);
  std::uint64_t* const offset = rows.words(3);
  std::uint64_t* const length = rows.words(4);
  std::uint64_t* const start = rows.words(5);
  std::uint64_t* const end = rows.words(6);
  std::uint64_t* const thread = rows.words(7);
  const std::byte* at = part.items.data() + first * kSegmentBytes;
  for (std::size_t i = 0; i < rows.rows(); ++i, at += kSegmentBytes) {
    const auto segment = load<Segment>(at);
    const std::uint64_t number = part.first_item + first + i;
    rows.text(0, host);
    rows.text(1, number < writes ? "write" : "read");
    index[i] = number < writes ? number : number - writes;
    offset[i] = static_cast<std::uint64_t>(segment.offset);
    length[i] = static_cast<std::uint64_t>(segment.length);
    start[i] = std::bit_cast<std::uint64_t>(segment.start);
    end[i] = std::bit_cast<std::uint64_t>(segment.end);
    thread[i] = segment.thread;
  }
}

inline constexpr ItemTable kItemTables[] = {
    {"segments", TableRole::kTrace, "every access traced", kSegmentColumns, segment_rows, fill_segments},
};
inline constexpr ModuleTables kTables = {.items = kItemTables};

}  // namespace trikal::modules::dxt
