#pragma once
// Rows of a section on their way into a stream: held for a while, then written column by column, so that what is alike in
// all of them takes next to no space. docs/formats/trailer.md describes the bytes. No heap: the memory is the caller's, and
// a row that it is too small for is written by itself, piece by piece.

#include <cstdint>
#include <span>
#include <string_view>

#include "base/bytes.hpp"
#include "base/result.hpp"
#include "log/trailer/format.hpp"
#include "log/write/output.hpp"

namespace trikal::log {

class RowGroup {
 public:
  void attach(MutableBytes memory) noexcept { memory_ = memory; }
  // `command`: the job's command line; a text that is a part of it refers to it.
  void begin(std::span<const Column> columns, Packer& packer, std::string_view command) noexcept;

  // The cells of each row in the order of its columns.
  Status put_word(std::uint64_t word);
  Status put_text(ColumnType type, Bytes text);
  // Behind the last row.
  Status end();

 private:
  // A text in memory_, or a part of the command line: then its offset has this bit.
  struct Text {
    std::uint32_t at = 0, size = 0;
  };
  static constexpr std::uint32_t kOfCommand = std::uint32_t{1} << 31;

  [[nodiscard]] bool holds_text(std::size_t column) const noexcept;
  [[nodiscard]] std::uint64_t cell(std::size_t row, std::size_t column) const noexcept;
  [[nodiscard]] Text text_at(std::size_t row, std::size_t column) const noexcept;
  [[nodiscard]] Bytes bytes_of(Text text) const noexcept;
  [[nodiscard]] Text in_command(ColumnType type, Bytes text) const noexcept;
  [[nodiscard]] std::size_t memory_end() const noexcept;
  [[nodiscard]] bool fits(std::size_t text_bytes) const noexcept;
  Status make_space(std::size_t text_bytes);
  Status hold(std::uint64_t cell);
  void next_cell() noexcept;

  Status write_group(std::size_t rows, std::size_t columns);
  Status write_rows();
  Status write_by_itself();

  std::span<const Column> columns_;
  Packer* packer_ = nullptr;
  std::string_view command_;
  MutableBytes memory_;  // cells from the front, texts from the end
  std::size_t rows_ = 0, column_ = 0;  // whole rows; cells of the one that is being put together
  std::size_t texts_ = 0, row_texts_ = 0;  // where texts begin: all, and those of whole rows
  bool by_itself_ = false;  // cells of this row go straight to the stream
};

}  // namespace trikal::log
