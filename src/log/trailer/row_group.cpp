#include "log/trailer/row_group.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "log/trailer/varint.hpp"

namespace trikal::log {
namespace {

// Bytes into a stream, a few hundred at a time.
class Plain {
 public:
  explicit Plain(Packer& packer) noexcept : packer_(packer) {}

  void number(std::uint64_t value) {
    if (held_.size() - used_ < kVarintBytes) flush();
    used_ += put_varint(held_.data() + used_, value);
  }
  void word(std::uint64_t value) {
    if (held_.size() - used_ < 8) flush();
    store_le(held_.data() + used_, value);
    used_ += 8;
  }
  void text(Bytes bytes) {
    number(bytes.size() + 1);
    flush();
    if (status_.ok() && !bytes.empty()) status_ = packer_.append(bytes);
  }
  void part_of_command(std::size_t at, std::size_t size) { number(0), number(at), number(size); }
  Status end() {
    flush();
    return status_;
  }

 private:
  void flush() {
    if (status_.ok() && used_ > 0) status_ = packer_.append(Bytes{held_}.first(used_));
    used_ = 0;
  }

  Packer& packer_;
  std::array<std::byte, 512> held_;  // NOLINT: filled as used
  std::size_t used_ = 0;
  Status status_;
};

// Values of a column as runs: one that comes several times, or several that do not. Three of a kind are worth a run.
template <class Same, class Put>
void put_runs(std::size_t count, Plain& out, const Same& same, const Put& put) {
  const auto alike_from = [&](std::size_t i, std::size_t most) {
    std::size_t alike = 1;
    while (alike < most && i + alike < count && same(i, i + alike)) ++alike;
    return alike;
  };
  for (std::size_t i = 0; i < count;) {
    const std::size_t alike = alike_from(i, count);
    if (alike > 2 || i + alike == count) {
      out.number((alike - 1) << 1 | 1);
      put(i);
      i += alike;
      continue;
    }
    std::size_t end = i + 1;
    while (end < count && alike_from(end, 3) < 3) ++end;
    out.number((end - i - 1) << 1);
    for (; i < end; ++i) put(i);
  }
}

// As differences from the one before.
template <class Value>
void put_numbers(std::size_t count, Plain& out, const Value& value) {
  const auto step = [&](std::size_t i) { return value(i) - (i > 0 ? value(i - 1) : 0); };
  put_runs(
      count, out, [&](std::size_t i, std::size_t j) { return step(i) == step(j); },
      [&](std::size_t i) { out.number(fold_sign(step(i))); });
}

// Reals that are whole multiples of a power of two are written as whole numbers. The power (its negative exponent) that
// all of them are multiples of, or kRawReals.
class Scale {
 public:
  void count(std::uint64_t bits) noexcept {
    constexpr int kMantissa = 52, kBias = 1023, kNotFinite = 0x7ff;
    if (bits == 0 || exponent_ == kRawReals) return;
    const int power = static_cast<int>(bits >> kMantissa) & kNotFinite;
    const std::uint64_t mantissa = bits & ((std::uint64_t{1} << kMantissa) - 1);
    if (power == 0 || power == kNotFinite) return void(exponent_ = kRawReals);
    const int lowest = power - kBias - (mantissa == 0 ? 0 : kMantissa - std::countr_zero(mantissa));
    largest_ = std::max(largest_, power - kBias);
    exponent_ = std::max(exponent_, -lowest);
    if (exponent_ > kMostRealScale || largest_ + exponent_ > kMantissa - 1) exponent_ = kRawReals;
  }
  [[nodiscard]] int exponent() const noexcept { return exponent_; }

 private:
  int exponent_ = 0, largest_ = -kMostRealScale;
};

template <class Value>
void put_reals(std::size_t count, Plain& out, const Value& value) {
  Scale scale;
  for (std::size_t i = 0; i < count; ++i) scale.count(value(i));
  const int exponent = scale.exponent();
  out.number(static_cast<std::uint64_t>(exponent));
  if (exponent != kRawReals) {
    const double factor = power_of_two(exponent);
    return put_numbers(count, out, [&](std::size_t i) {
      return static_cast<std::uint64_t>(static_cast<std::int64_t>(std::bit_cast<double>(value(i)) * factor));
    });
  }
  put_runs(
      count, out, [&](std::size_t i, std::size_t j) { return value(i) == value(j); },
      [&](std::size_t i) { out.word(value(i)); });
}

}  // namespace

void RowGroup::begin(std::span<const Column> columns, Packer& packer, std::string_view command) noexcept {
  columns_ = columns, packer_ = &packer, command_ = command;
  rows_ = column_ = 0;
  texts_ = row_texts_ = memory_end();
  by_itself_ = false;
}

bool RowGroup::holds_text(std::size_t column) const noexcept { return is_text(columns_[column].type); }

std::uint64_t RowGroup::cell(std::size_t row, std::size_t column) const noexcept {
  return load<std::uint64_t>(memory_.data() + 8 * (row * columns_.size() + column));
}

RowGroup::Text RowGroup::text_at(std::size_t row, std::size_t column) const noexcept {
  return std::bit_cast<Text>(cell(row, column));
}

std::size_t RowGroup::memory_end() const noexcept { return std::min<std::size_t>(memory_.size(), kOfCommand - 1); }

Bytes RowGroup::bytes_of(Text text) const noexcept {
  if (text.at < kOfCommand) return Bytes{memory_}.subspan(text.at, text.size);
  return std::as_bytes(std::span(command_)).subspan(text.at - kOfCommand, text.size);
}

// Of size 0 if it is no part of the command line, or so short that saying where is no shorter.
RowGroup::Text RowGroup::in_command(ColumnType type, Bytes text) const noexcept {
  constexpr std::size_t kShort = 6;
  if (type != ColumnType::kText || text.size() < kShort) return {};
  const std::size_t at = command_.find({reinterpret_cast<const char*>(text.data()), text.size()});
  if (at == std::string_view::npos) return {};
  return {kOfCommand | static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(text.size())};
}

bool RowGroup::fits(std::size_t text_bytes) const noexcept {
  const std::size_t cells = 8 * (rows_ * columns_.size() + column_ + 1);
  return cells <= texts_ && text_bytes <= texts_ - cells;
}

Status RowGroup::make_space(std::size_t text_bytes) {
  Status done;
  if (!fits(text_bytes) && rows_ > 0) done = write_rows();
  if (done.ok() && !fits(text_bytes)) done = write_by_itself();
  return done;
}

Status RowGroup::hold(std::uint64_t cell) {
  store(memory_.data() + 8 * (rows_ * columns_.size() + column_), cell);
  next_cell();
  return rows_ == kMostGroupRows ? write_rows() : Status{};
}

void RowGroup::next_cell() noexcept {
  if (++column_ < columns_.size()) return;
  column_ = 0;
  if (!by_itself_) ++rows_, row_texts_ = texts_;
  by_itself_ = false;
}

Status RowGroup::put_word(std::uint64_t word) {
  Status done = by_itself_ ? Status{} : make_space(0);
  if (!done.ok() || !by_itself_) return done.ok() ? hold(word) : done;
  Plain out(*packer_);
  const auto value = [&](std::size_t) { return word; };
  if (columns_[column_].type == ColumnType::kF64) put_reals(1, out, value);
  else put_numbers(1, out, value);
  next_cell();
  return out.end();
}

Status RowGroup::put_text(ColumnType type, Bytes text) {
  const Text part = in_command(type, text);
  const std::size_t bytes = part.size > 0 ? 0 : text.size();
  const Status done = by_itself_ ? Status{} : make_space(bytes);
  if (!done.ok()) return done;
  if (!by_itself_) {
    texts_ -= bytes;
    if (bytes > 0) std::memcpy(memory_.data() + texts_, text.data(), bytes);
    const Text held{static_cast<std::uint32_t>(texts_), static_cast<std::uint32_t>(bytes)};
    return hold(std::bit_cast<std::uint64_t>(part.size > 0 ? part : held));
  }
  Plain out(*packer_);
  out.number(1);
  if (part.size > 0) out.part_of_command(part.at - kOfCommand, part.size);
  else out.text(text);
  next_cell();
  return out.end();
}

// The first cells of some rows, column by column.
Status RowGroup::write_group(std::size_t rows, std::size_t columns) {
  Plain out(*packer_);
  out.number(rows);
  for (std::size_t column = 0; column < columns; ++column) {
    const auto value = [&](std::size_t row) { return cell(row, column); };
    if (holds_text(column)) {
      const auto same = [&](std::size_t i, std::size_t j) {
        const Bytes a = bytes_of(text_at(i, column)), b = bytes_of(text_at(j, column));
        return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size()) == 0;
      };
      put_runs(rows, out, same, [&](std::size_t row) {
        const Text text = text_at(row, column);
        if (text.at >= kOfCommand) out.part_of_command(text.at - kOfCommand, text.size);
        else out.text(bytes_of(text));
      });
    } else if (columns_[column].type == ColumnType::kF64) {
      put_reals(rows, out, value);
    } else {
      put_numbers(rows, out, value);
    }
  }
  return out.end();
}

// Makes space: what is there of the next row stays.
Status RowGroup::write_rows() {
  const Status done = write_group(rows_, columns_.size());
  std::byte* cells = memory_.data();
  std::memmove(cells, cells + 8 * rows_ * columns_.size(), 8 * column_);
  const std::size_t end = memory_end(), moved = end - row_texts_;
  std::memmove(cells + texts_ + moved, cells + texts_, row_texts_ - texts_);
  rows_ = 0, texts_ += moved, row_texts_ = end;
  for (std::size_t i = 0; i < column_; ++i) {
    if (!holds_text(i)) continue;
    Text text = text_at(0, i);
    if (text.at < kOfCommand) text.at += static_cast<std::uint32_t>(moved);
    store(cells + 8 * i, text);
  }
  return done;
}

// A group of one row is written in the order of its cells, so the rest of it need not be held.
Status RowGroup::write_by_itself() {
  const Status done = write_group(1, column_);
  texts_ = row_texts_ = memory_end();
  by_itself_ = true;
  return done;
}

Status RowGroup::end() { return rows_ > 0 ? write_rows() : Status{}; }

}  // namespace trikal::log
