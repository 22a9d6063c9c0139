#pragma once
// The section "streams": where each compressed stream of each region lies. A region of several streams can
// then be decompressed by several threads; nothing else tells where a stream begins but decompressing.

#include <array>

#include "log/layout.hpp"
#include "log/trailer/format.hpp"

namespace trikal::log {

// Modules are regions of their own number; these two follow them.
inline constexpr std::uint64_t kNamesRegion = kModuleSlots;
inline constexpr std::uint64_t kJobRegionNumber = kModuleSlots + 1;

struct StreamEntry {
  std::uint64_t region = 0;
  Extent packed;  // in the file
  Extent plain;   // in the region's decompressed bytes
};

inline constexpr std::array<Column, 5> kStreamColumns = {{
    {"region", ColumnType::kU64, "", "a module's id; 64 is the names, 65 the job"},
    {"packed_offset", ColumnType::kU64, kUnitBytes, "where the stream begins in the file"},
    {"packed_length", ColumnType::kU64, kUnitBytes, "its compressed length"},
    {"plain_offset", ColumnType::kU64, kUnitBytes, "where its content begins in the region"},
    {"plain_length", ColumnType::kU64, kUnitBytes, "the length of its content"},
}};
inline constexpr SectionSchema kStreamsSection = {"streams", "where each compressed stream lies", kStreamColumns};

}  // namespace trikal::log
