#include "log/read/name_region.hpp"

#include <cstring>

namespace trikal::log {
namespace {

Error broken(const ByteReader& bytes, const char* what) {
  return {.code = ErrorCode::kDamaged, .offset = bytes.file_offset(), .what = what};
}

class NameReader {
 public:
  NameReader(ByteReader& bytes, const Header& header, const Limits& limits)
      : bytes_(bytes), header_(header), limits_(limits) {}

  Status read(NameTable& table) {
    for (;;) {
      std::byte head[8];
      auto got = bytes_.read(head);
      if (!got) return got.error();
      if (*got == 0) return {};
      if (*got < sizeof head) return cut_off("the name region ends inside a record id");
      const auto raw = load<std::uint64_t>(head);
      auto read = header_.minor < 10 ? read_counted() : read_terminated();
      if (!read) return read.error();
      table.add(header_.foreign ? byteswap(raw) : raw, name_);
      if (table.bytes() > limits_.memory) {
        return Error{.code = ErrorCode::kLimit,
                     .offset = bytes_.file_offset(),
                     .what = "the names need more memory than the limit"};
      }
    }
  }

 private:
  Status cut_off(const char* what) {
    const Status why = bytes_.why_short();
    return why ? broken(bytes_, what) : why.error();
  }

  // 3.00: a length, then that many bytes.
  Status read_counted() {
    std::byte head[4];
    auto got = bytes_.read(head);
    if (!got) return got.error();
    if (*got < sizeof head) return cut_off("the name region ends inside a name's length");
    const auto raw = load<std::uint32_t>(head);
    std::size_t left = header_.foreign ? byteswap(raw) : raw;
    name_.clear();
    while (left > 0) {
      auto piece = next_piece();
      if (!piece) return piece.error();
      const std::size_t count = std::min(left, piece->size());
      name_.append(*piece, 0, count);
      bytes_.skip(count);
      left -= count;
    }
    return {};
  }

  Status read_terminated() {
    name_.clear();
    for (;;) {
      auto piece = next_piece();
      if (!piece) return piece.error();
      const std::size_t end = piece->find('\0');
      name_.append(piece->substr(0, end));
      bytes_.skip(end == std::string_view::npos ? piece->size() : end + 1);
      if (end != std::string_view::npos) return {};
    }
  }

  Result<std::string_view> next_piece() {
    if (name_.size() > limits_.memory || name_.size() > kLongestName) {
      return Error{
          .code = ErrorCode::kLimit, .offset = bytes_.file_offset(), .what = "a name is longer than any name can be"};
    }
    auto piece = bytes_.peek();
    if (!piece) return piece.error();
    if (piece->empty()) return broken(bytes_, "the name region ends inside a name");
    return std::string_view(reinterpret_cast<const char*>(piece->data()), piece->size());
  }

  static constexpr std::size_t kLongestName = std::size_t{1} << 30;

  ByteReader& bytes_;
  const Header& header_;
  const Limits& limits_;
  std::string name_;
};

}  // namespace

Status read_names(ByteReader& bytes, const Header& header, const Limits& limits, NameTable& table) {
  return NameReader(bytes, header, limits).read(table);
}

}  // namespace trikal::log
