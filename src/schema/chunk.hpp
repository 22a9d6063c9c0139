#pragma once
// Some rows of a table, column by column. The layout is Arrow's (8-byte numbers, text behind 32-bit offsets, a
// bitmap of what is there), so that export and the C library hand it on without a copy.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace trikal {

enum class CellType : std::uint8_t { kI64, kU64, kF64, kText };

struct ColumnData {
  CellType type = CellType::kI64;
  std::vector<std::uint64_t> words;        // numbers, bit for bit
  std::vector<std::int32_t> offsets = {0};  // text of row i: from offsets[i] to offsets[i + 1]
  std::string text;
  std::vector<std::uint8_t> present;  // text only, bit i: row i has a value; empty if all have
  std::size_t missing = 0;

  [[nodiscard]] std::size_t rows() const { return type == CellType::kText ? offsets.size() - 1 : words.size(); }
  [[nodiscard]] bool has(std::size_t row) const { return missing == 0 || ((present[row / 8] >> (row % 8)) & 1) != 0; }
  [[nodiscard]] std::string_view text_at(std::size_t row) const {
    return std::string_view(text).substr(static_cast<std::size_t>(offsets[row]),
                                         static_cast<std::size_t>(offsets[row + 1] - offsets[row]));
  }
};

class Chunk {
 public:
  enum class Text : bool {
    kUtf8,  // ill-formed parts replaced
    kRaw,   // byte for byte as in the log
  };

  // Forgets all rows, keeps the memory.
  void reset(std::span<const CellType> types, Text text);

  [[nodiscard]] const std::vector<ColumnData>& columns() const { return columns_; }
  [[nodiscard]] std::vector<ColumnData>& columns() { return columns_; }
  [[nodiscard]] std::size_t rows() const { return columns_.empty() ? 0 : columns_.front().rows(); }
  [[nodiscard]] std::size_t text_bytes() const { return text_bytes_; }
  // A text did not fit behind 32-bit offsets: the chunk is of no use.
  [[nodiscard]] bool overflowed() const { return overflowed_; }

  // Space for `rows` more numbers of a column; all of it must be filled.
  std::uint64_t* add_words(std::size_t column, std::size_t rows);
  void add_word(std::size_t column, std::uint64_t value) { *add_words(column, 1) = value; }
  void add_real(std::size_t column, double value);
  void add_text(std::size_t column, std::string_view value);
  void add_missing(std::size_t column);

 private:
  void mark(ColumnData& data, bool there);

  std::vector<ColumnData> columns_;
  std::size_t text_bytes_ = 0;
  Text text_ = Text::kUtf8;
  bool overflowed_ = false;
};

// Where a module puts rows of one of its tables; columns count from the table's first own one. Every column must
// get as many values as the caller asked for rows.
class RowBlock {
 public:
  RowBlock(Chunk& chunk, std::size_t first_column, std::size_t rows)
      : chunk_(chunk), first_column_(first_column), rows_(rows) {}

  // All rows of a number column, to be filled. Once for each column.
  [[nodiscard]] std::uint64_t* words(std::size_t column) { return chunk_.add_words(first_column_ + column, rows_); }
  // The next row of a text column.
  void text(std::size_t column, std::string_view value) { chunk_.add_text(first_column_ + column, value); }
  [[nodiscard]] std::size_t rows() const { return rows_; }

 private:
  Chunk& chunk_;
  std::size_t first_column_;
  std::size_t rows_;
};

}  // namespace trikal
