#include "log/trailer/rows.hpp"

#include <algorithm>
#include <array>

#include "log/read/byte_reader.hpp"

namespace trikal::log {
namespace {

class StoredRows final : public SectionRows {
 public:
  StoredRows(const Source& source, const Section& section, const Limits& limits)
      : section_(section),
        memory_(limits.memory),
        bytes_(open_region(source, section.stored, section.codec,
                           {limits.memory, std::min(limits.expanded, section.plain_bytes)})),
        row_(section.columns.size()) {}

  Result<bool> next(std::span<const Cell>& row) override {
    if (done_ == section_.rows) return at_end();
    text_.clear();
    for (std::size_t i = 0; i < row_.size(); ++i) {
      const Status read = read_cell(section_.columns[i].type, row_[i]);
      if (!read) return read.error();
    }
    std::size_t at = 0;  // only now: the text no longer moves
    for (Cell& cell : row_) {
      if (!is_text(cell.type)) continue;
      cell.text = {text_.data() + at, static_cast<std::size_t>(cell.word)};
      at += cell.text.size();
    }
    ++done_;
    row = row_;
    return true;
  }

 private:
  // All bytes of the section belong to its rows.
  Result<bool> at_end() {
    auto more = bytes_.peek();
    if (!more) return more.error();
    if (!more->empty()) return broken("a trailer's section has more bytes than its rows");
    return false;
  }

  Status read_cell(ColumnType type, Cell& cell) {
    std::array<std::byte, 8> raw{};
    const Status read = read_exactly(MutableBytes{raw}.first(is_text(type) ? 4 : 8));
    if (!read) return read;
    cell = {.type = type, .word = load_le<std::uint64_t>(raw.data()), .text = {}};
    return is_text(type) ? read_text(cell.word) : Status{};
  }

  // Memory grows with bytes that arrived, never with bytes announced.
  Status read_text(std::uint64_t length) {
    if (length > memory_ || text_.size() > memory_ - length) {
      return Error{.code = ErrorCode::kLimit,
                   .offset = bytes_.file_offset(),
                   .what = "a row of the trailer is larger than the limit"};
    }
    while (length > 0) {
      auto piece = bytes_.peek();
      if (!piece) return piece.error();
      if (piece->empty()) return broken("a trailer's section ends inside a row");
      const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(length, piece->size()));
      text_.append(reinterpret_cast<const char*>(piece->data()), count);
      bytes_.skip(count);
      length -= count;
    }
    return {};
  }

  Status read_exactly(MutableBytes out) {
    auto got = bytes_.read(out);
    if (!got) return got.error();
    if (*got == out.size()) return {};
    const Status why = bytes_.why_short();
    return why ? broken("a trailer's section ends inside a row") : why.error();
  }

  [[nodiscard]] Error broken(const char* what) const {
    return {.code = ErrorCode::kDamaged, .offset = bytes_.file_offset(), .what = what};
  }

  const Section& section_;
  std::uint64_t memory_;
  ByteReader bytes_;
  std::vector<Cell> row_;
  std::string text_;
  std::uint64_t done_ = 0;
};

}  // namespace

std::unique_ptr<SectionRows> open_rows(const Source& source, const Section& section, const Limits& limits) {
  return std::make_unique<StoredRows>(source, section, limits);
}

}  // namespace trikal::log
