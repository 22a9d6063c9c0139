#pragma once
// Numbers and texts of a batch as bytes, and back. Whole numbers have seven bits a byte, the lowest first, the highest bit set
// on all but the last; those that may be negative are folded first, so that small ones are short.

#include <bit>
#include <concepts>
#include <string>
#include <vector>

#include "base/bytes.hpp"

namespace trikal::stream {

class Encoder {
 public:
  // Begins behind so many bytes, which are for the caller to fill.
  explicit Encoder(std::size_t head) : bytes_(head) {}

  void number(std::uint64_t value) {
    for (; value > 0x7f; value >>= 7) bytes_.push_back(static_cast<std::byte>(value | 0x80));
    bytes_.push_back(static_cast<std::byte>(value));
  }
  void difference(std::int64_t value) {
    const auto bits = static_cast<std::uint64_t>(value);
    number((bits << 1) ^ (0 - (bits >> 63)));
  }
  void real(double value) {
    bytes_.resize(bytes_.size() + 8);
    store_le(bytes_.data() + bytes_.size() - 8, std::bit_cast<std::uint64_t>(value));
  }
  template <class Enum>
  void choice(Enum value, Enum) {
    number(static_cast<std::uint64_t>(value));
  }
  void text(const std::string& value) {
    number(value.size());
    const auto* begin = reinterpret_cast<const std::byte*>(value.data());
    bytes_.insert(bytes_.end(), begin, begin + value.size());
  }
  void block(Bytes value) {
    number(value.size());
    bytes_.insert(bytes_.end(), value.begin(), value.end());
  }
  template <class Row, class Put>
  void list(const std::vector<Row>& rows, std::size_t, const Put& put) {
    number(rows.size());
    for (const Row& row : rows) put(*this, row);
  }
  [[nodiscard]] std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  std::vector<std::byte> bytes_;
};

// From the first thing on that cannot be, everything is empty and ok() is false.
class Decoder {
 public:
  explicit Decoder(Bytes bytes) : bytes_(bytes) {}

  template <std::unsigned_integral T>
  void number(T& value) {
    const std::uint64_t wide = varint();
    value = static_cast<T>(wide);
    if (value != wide) fail();
  }
  void difference(std::int64_t& value) {
    const std::uint64_t folded = varint();
    value = static_cast<std::int64_t>((folded >> 1) ^ (0 - (folded & 1)));
  }
  void real(double& value) {
    value = 0;
    if (left() < 8) return fail();
    value = std::bit_cast<double>(load_le<std::uint64_t>(bytes_.data() + at_));
    at_ += 8;
  }
  template <class Enum>
  void choice(Enum& value, Enum last) {
    const std::uint64_t number = varint();
    if (number > static_cast<std::uint64_t>(last)) return fail();
    value = static_cast<Enum>(number);
  }
  void text(std::string& value) {
    const std::uint64_t length = varint();
    if (length > left()) return fail();
    value.assign(reinterpret_cast<const char*>(bytes_.data()) + at_, static_cast<std::size_t>(length));
    at_ += static_cast<std::size_t>(length);
  }
  // Of the bytes that are decoded: not a copy.
  [[nodiscard]] Bytes block() {
    const std::uint64_t length = varint();
    if (length > left()) return fail(), Bytes();
    const Bytes inside = bytes_.subspan(at_, static_cast<std::size_t>(length));
    at_ += inside.size();
    return inside;
  }
  // What was read cannot be.
  void fail() { ok_ = false, bytes_ = bytes_.first(at_); }
  // `least`: bytes a row takes at least, so that no more are made than can be there.
  template <class Row, class Get>
  void list(std::vector<Row>& rows, std::size_t least, const Get& get) {
    const std::uint64_t count = varint();
    if (count > left() / least) return fail();
    rows.reserve(static_cast<std::size_t>(count));
    for (std::uint64_t i = 0; i < count && ok_; ++i) get(*this, rows.emplace_back());
  }

  [[nodiscard]] bool ok() const { return ok_; }
  [[nodiscard]] bool at_end() const { return at_ == bytes_.size(); }
  [[nodiscard]] std::size_t position() const { return at_; }

 private:
  [[nodiscard]] std::size_t left() const { return bytes_.size() - at_; }
  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && left() > 0; shift += 7) {
      const auto byte = std::to_integer<std::uint64_t>(bytes_[at_++]);
      if (shift == 63 && byte > 1) break;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    fail();
    return 0;
  }

  Bytes bytes_;
  std::size_t at_ = 0;
  bool ok_ = true;
};

}  // namespace trikal::stream
