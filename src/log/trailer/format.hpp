#pragma once
// The trailer behind a log's last region: what Darshan's container cannot hold. docs/formats/trailer.md
// says it byte by byte. Numbers are little-endian on every machine.
//
//   start mark | stream | stream ... | footer
//
// A section is a table, in one of the streams; the directory, behind the last section, describes its columns, so a reader
// needs to know none of them. Version 1, which is still read, has a stream for each section and a plain directory.

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace trikal::log {

enum class ColumnType : std::uint8_t { kI64 = 1, kU64 = 2, kF64 = 3, kText = 4, kBytes = 5 };

[[nodiscard]] constexpr bool is_text(ColumnType type) noexcept {
  return type == ColumnType::kText || type == ColumnType::kBytes;
}

struct Column {
  std::string_view name;
  ColumnType type = ColumnType::kU64;
  std::string_view unit;  // one of the words below, or free
  std::string_view help;  // one clause
};

// Units that tools act on: merging shifts timestamps and renumbers ranks, selecting a record keeps its rows.
inline constexpr std::string_view kUnitRecordId = "record-id";
inline constexpr std::string_view kUnitRank = "rank";
inline constexpr std::string_view kUnitTimestamp = "timestamp";
inline constexpr std::string_view kUnitBytes = "bytes";

struct SectionSchema {
  std::string_view name;
  std::string_view help;
  std::span<const Column> columns;
};

// Whether a section read from a log has these columns in front (more may follow).
template <class Columns, std::size_t N>
[[nodiscard]] bool begins_with(const Columns& columns, const std::array<Column, N>& expected) {
  if (columns.size() < N) return false;
  for (std::size_t i = 0; i < N; ++i) {
    if (columns[i].name != expected[i].name || columns[i].type != expected[i].type) return false;
  }
  return true;
}

using TrailerMark = std::array<char, 8>;
inline constexpr TrailerMark kTrailerStart = {'T', 'R', 'K', 'L', 'B', 'G', 'N', '\n'};
inline constexpr TrailerMark kTrailerEnd = {'T', 'R', 'K', 'L', 'E', 'N', 'D', '\n'};
inline constexpr std::uint32_t kTrailerVersion = 2;
inline constexpr std::uint32_t kFirstTrailerVersion = 1;

// The last bytes of the file.
struct FooterLayout {
  static constexpr std::size_t kBytes = 64;
  static constexpr std::size_t kMarkAt = 0;
  static constexpr std::size_t kVersionAt = 8;  // u32
  static constexpr std::size_t kSectionsAt = 12;  // u32
  static constexpr std::size_t kStartAt = 16;  // u64, of the start mark in the file
  static constexpr std::size_t kDirectoryAt = 24;  // u64, in the file
  static constexpr std::size_t kDirectoryBytesAt = 32;  // u64
  static constexpr std::size_t kDirectoryCrcAt = 40;  // u32
  static constexpr std::size_t kHeaderCrcAt = 44;  // u32, of the log's header
  static constexpr std::size_t kFileBytesAt = 48;  // u64, footer included
  static constexpr std::size_t kSkippedAt = 56;  // u16, of the directory's stream before it (version 1: 0)
  static constexpr std::size_t kCodecAt = 58;  // u8, of the streams (version 1: 0); then 1 byte of 0
  static constexpr std::size_t kCrcAt = 60;  // u32, of the 60 bytes before it
};

// A stream ends with the first section behind so many plain bytes: a reader expands no more than that, and the section it
// wants.
inline constexpr std::size_t kStreamPlainBytes = 0x10000;
inline constexpr std::size_t kMostGroupRows = 4096;

// Reals are whole multiples of 2^-scale, or eight bytes each.
inline constexpr int kMostRealScale = 126, kRawReals = 127;
[[nodiscard]] constexpr double power_of_two(int exponent) noexcept {
  return std::bit_cast<double>(static_cast<std::uint64_t>(1023 + exponent) << 52);
}

// How the directory refers to descriptions.
inline constexpr std::uint64_t kNextLine = 0;  // the known line behind the one referred to last
inline constexpr std::uint64_t kNewLine = 1;  // none: it follows
inline constexpr std::uint64_t kFirstLine = 2;  // and above: a known line by its number

// Version 1: the fixed part of a section's entry in the directory; then its name, help and columns.
struct EntryLayout {
  static constexpr std::size_t kBytes = 48;
  static constexpr std::size_t kLengthAt = 0;  // u32, of the whole entry
  static constexpr std::size_t kCodecAt = 4;  // u8, as in a log's header; then 1 byte of 0
  static constexpr std::size_t kColumnsAt = 6;  // u16
  static constexpr std::size_t kCrcAt = 8;  // u32, of the stored bytes; then 4 bytes of 0
  static constexpr std::size_t kOffsetAt = 16;  // u64, in the file
  static constexpr std::size_t kStoredAt = 24;  // u64
  static constexpr std::size_t kPlainAt = 32;  // u64
  static constexpr std::size_t kRowsAt = 40;  // u64
};

// Longer texts are not described. Version 1: text in the directory is a u16 length and that many bytes; in a row the length
// is a u32.
inline constexpr std::size_t kDirectoryTextMax = 0xffff;

}  // namespace trikal::log
