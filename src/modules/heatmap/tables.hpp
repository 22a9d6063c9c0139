#pragma once
// Heatmaps as a table: a row a slice of time.

#include <bit>

#include "modules/heatmap/schema.hpp"
#include "schema/table.hpp"

namespace trikal::modules::heatmap {

inline constexpr TableColumn kBinColumns[] = {
    {"bin", CellType::kI64, Unit::kNone, "number of the slice"},
    {"start_time", CellType::kF64, Unit::kTimestamp, "when it begins"},
    {"width", CellType::kF64, Unit::kSeconds, "how long it is"},
    {"read_bytes", CellType::kI64, Unit::kBytes, "bytes read in it"},
    {"write_bytes", CellType::kI64, Unit::kBytes, "bytes written in it"},
};

// Half of what follows the head are writes, half reads; the reader has made sure that all of it is there.
inline std::uint64_t bin_rows(const RecordPart& part) { return (part.record.size() - kHeadBytes) / 16; }

inline void fill_bins(const RecordPart& part, std::uint64_t first, RowBlock& rows) {
  const auto width = load<double>(part.record.data() + kWidthAt);
  const std::byte* const writes = part.record.data() + kHeadBytes;
  const std::byte* const reads = writes + 8 * bin_rows(part);
  std::uint64_t* const bin = rows.words(0);
  std::uint64_t* const start = rows.words(1);
  std::uint64_t* const widths = rows.words(2);
  std::uint64_t* const read = rows.words(3);
  std::uint64_t* const written = rows.words(4);
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    const std::uint64_t number = first + i;
    bin[i] = number;
    start[i] = std::bit_cast<std::uint64_t>(static_cast<double>(number) * width);
    widths[i] = std::bit_cast<std::uint64_t>(width);
    read[i] = load<std::uint64_t>(reads + 8 * number);
    written[i] = load<std::uint64_t>(writes + 8 * number);
  }
}

inline constexpr ItemTable kItemTables[] = {
    {"bins", TableRole::kTimeline, "bytes moved in each slice of time", kBinColumns, bin_rows, fill_bins},
};
inline constexpr ModuleTables kTables = {.items = kItemTables};

}  // namespace trikal::modules::heatmap
