#include "log/trailer/group_rows.hpp"

#include <algorithm>

#include "log/read/byte_reader.hpp"
#include "log/trailer/varint.hpp"

namespace trikal::log {
namespace {

// The section's part of its stream, byte by byte. The first thing that goes wrong stays.
class Plain {
 public:
  Plain(const Source& source, const Section& section, const Limits& limits)
      : bytes_(open_region(source, section.stored, section.codec,
                           {limits.memory, std::min(limits.expanded, expanded(section))})),
        skip_(section.plain_offset),
        left_(section.plain_bytes) {}

  [[nodiscard]] const Status& status() const { return status_; }
  [[nodiscard]] std::uint64_t left() const { return left_; }

  bool next(std::uint8_t& byte) {
    const Bytes piece = peek();
    if (piece.empty()) return false;
    byte = static_cast<std::uint8_t>(piece.front());
    take(1);
    return true;
  }
  bool number(std::uint64_t& value) {
    const bool taken = take_varint([this](std::uint8_t& byte) { return next(byte); }, value);
    return taken || fail("a number in a section of the trailer makes no sense");
  }
  bool word(std::uint64_t& value) {
    std::byte raw[8];
    for (std::byte& byte : raw) {
      std::uint8_t one = 0;
      if (!next(one)) return false;
      byte = static_cast<std::byte>(one);
    }
    value = load_le<std::uint64_t>(raw);
    return true;
  }
  bool text(std::uint64_t length, std::string& out) {
    while (length > 0) {
      const Bytes piece = peek();
      if (piece.empty()) return false;
      const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(length, piece.size()));
      out.append(reinterpret_cast<const char*>(piece.data()), count);
      take(count);
      length -= count;
    }
    return true;
  }
  bool fail(const char* what, ErrorCode code = ErrorCode::kDamaged) {
    if (status_) status_ = Error{.code = code, .offset = bytes_.file_offset(), .what = what};
    return false;
  }

 private:
  static std::uint64_t expanded(const Section& section) {
    const std::uint64_t end = section.plain_offset + section.plain_bytes;
    return end < section.plain_offset ? ~std::uint64_t{0} : end + kBehind;
  }

  Bytes peek() {
    while (status_) {
      auto piece = bytes_.peek();
      if (!piece) status_ = piece.error();
      else if (piece->empty() || left_ == 0) return fail("a trailer's section ends inside a row"), Bytes{};
      else if (skip_ == 0) return piece->first(static_cast<std::size_t>(std::min<std::uint64_t>(left_, piece->size())));
      else pass(std::min<std::uint64_t>(skip_, piece->size()));
    }
    return {};
  }
  void pass(std::uint64_t count) {
    bytes_.skip(static_cast<std::size_t>(count));
    skip_ -= count;
  }
  void take(std::size_t count) {
    bytes_.skip(count);
    left_ -= count;
  }

  // Sections or the directory may follow in the stream: what is in the same block is expanded as well.
  static constexpr std::uint64_t kBehind = Block::kCapacity;

  ByteReader bytes_;
  std::uint64_t skip_, left_;
  Status status_;
};

class GroupRows final : public SectionRows {
 public:
  GroupRows(const Source& source, const Section& section, const Limits& limits, std::string_view command)
      : section_(section),
        memory_(limits.memory),
        command_(command),
        plain_(source, section, limits),
        row_(section.columns.size()) {}

  Result<bool> next(std::span<const Cell>& row) override {
    if (in_group_ == group_ && !next_group()) {
      if (!plain_.status()) return plain_.status().error();
      return false;
    }
    for (std::size_t i = 0; i < row_.size(); ++i) row_[i] = cell(i, in_group_);
    ++in_group_, ++done_;
    row = row_;
    return true;
  }

 private:
  // The word of a text is its number among those of the group.
  [[nodiscard]] Cell cell(std::size_t column, std::uint64_t row) const {
    const ColumnType type = section_.columns[column].type;
    const std::uint64_t word = cells_[column * group_ + row];
    if (!is_text(type)) return {.type = type, .word = word, .text = {}};
    const std::string_view text = text_of(word);
    return {.type = type, .word = text.size(), .text = text};
  }
  [[nodiscard]] std::string_view text_of(std::uint64_t number) const {
    const std::size_t begin = ends_[number], end = ends_[number + 1];
    return std::string_view(texts_).substr(begin, end - begin);
  }

  // False: there is none, or none that can be read.
  bool next_group() {
    in_group_ = group_ = 0;
    if (done_ == section_.rows)
      return plain_.left() != 0 && plain_.fail("a trailer's section has more bytes than its rows");
    std::uint64_t rows = 0;
    if (!plain_.number(rows)) return false;
    if (rows == 0 || rows > kMostGroupRows || rows > section_.rows - done_)
      return plain_.fail("a group of rows in the trailer makes no sense");
    if (rows * row_.size() > memory_ / sizeof(std::uint64_t)) return too_large();
    cells_.assign(static_cast<std::size_t>(rows) * row_.size(), 0);
    texts_.clear();
    ends_.assign(1, 0);
    for (std::size_t i = 0; i < row_.size(); ++i) {
      const std::span column =
          std::span(cells_).subspan(i * static_cast<std::size_t>(rows), static_cast<std::size_t>(rows));
      if (!read_column(section_.columns[i].type, column)) return false;
    }
    group_ = rows;
    return true;
  }
  bool too_large() { return plain_.fail("a row of the trailer is larger than the limit", ErrorCode::kLimit); }

  bool read_column(ColumnType type, std::span<std::uint64_t> cells) {
    if (is_text(type)) return read_runs(cells, [this](std::uint64_t& cell) { return read_text(cell); });
    if (type != ColumnType::kF64) return read_numbers(cells);
    std::uint64_t scale = 0;
    if (!plain_.number(scale)) return false;
    if (scale > static_cast<std::uint64_t>(kRawReals)) return plain_.fail("numbers of a kind that nobody knows");
    if (scale == static_cast<std::uint64_t>(kRawReals))
      return read_runs(cells, [this](std::uint64_t& cell) { return plain_.word(cell); });
    if (!read_numbers(cells)) return false;
    const double factor = power_of_two(-static_cast<int>(scale));
    for (std::uint64_t& cell : cells)
      cell = std::bit_cast<std::uint64_t>(static_cast<double>(static_cast<std::int64_t>(cell)) * factor);
    return true;
  }

  bool read_numbers(std::span<std::uint64_t> cells) {
    const auto step = [this](std::uint64_t& cell) {
      if (!plain_.number(cell)) return false;
      cell = unfold_sign(cell);
      return true;
    };
    if (!read_runs(cells, step)) return false;
    std::uint64_t sum = 0;
    for (std::uint64_t& cell : cells) cell = sum += cell;
    return true;
  }

  bool read_text(std::uint64_t& cell) {
    std::uint64_t length = 0;
    if (!plain_.number(length)) return false;
    cell = ends_.size() - 1;
    if (!(length == 0 ? read_part_of_command() : read_plain_text(length - 1))) return false;
    ends_.push_back(texts_.size());
    return true;
  }
  bool read_plain_text(std::uint64_t length) {
    if (length > memory_ || texts_.size() > memory_ - length) return too_large();
    return plain_.text(length, texts_);
  }
  bool read_part_of_command() {
    std::uint64_t at = 0, length = 0;
    if (!plain_.number(at) || !plain_.number(length)) return false;
    if (at > command_.size() || length > command_.size() - at)
      return plain_.fail("a text of the trailer refers to more than there is of the command line");
    if (length > memory_ || texts_.size() > memory_ - length) return too_large();
    texts_ += command_.substr(static_cast<std::size_t>(at), static_cast<std::size_t>(length));
    return true;
  }

  template <class Read>
  bool read_runs(std::span<std::uint64_t> cells, const Read& read) {
    while (!cells.empty()) {
      std::uint64_t head = 0;
      if (!plain_.number(head)) return false;
      const std::uint64_t count = (head >> 1) + 1;
      if (count > cells.size()) return plain_.fail("a run of values in the trailer is too long");
      const bool alike = (head & 1) != 0;
      if (alike && !read(cells[0])) return false;
      for (std::size_t i = alike ? 1 : 0; i < count; ++i) {
        if (alike) cells[i] = cells[0];
        else if (!read(cells[i])) return false;
      }
      cells = cells.subspan(static_cast<std::size_t>(count));
    }
    return true;
  }

  const Section& section_;
  std::uint64_t memory_;
  std::string_view command_;
  Plain plain_;
  std::vector<Cell> row_;
  std::vector<std::uint64_t> cells_;  // of a group, column by column
  std::string texts_;
  std::vector<std::size_t> ends_;  // of the texts, and where the first begins
  std::uint64_t group_ = 0, in_group_ = 0, done_ = 0;
};

}  // namespace

std::unique_ptr<SectionRows> open_group_rows(const Source& source, const Section& section, const Limits& limits,
                                             std::string_view command) {
  return std::make_unique<GroupRows>(source, section, limits, command);
}

}  // namespace trikal::log
