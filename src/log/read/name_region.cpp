#include "log/read/name_region.hpp"

#include <algorithm>
#include <string>

namespace trikal::log {
namespace {

// Paths end at 4 KiB everywhere; what is printed beside every counter must not become a flood.
constexpr std::size_t kLongestName = std::size_t{1} << 16;
constexpr const char* kTooLong = "a name is longer than any name can be";

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
      auto name = header_.minor < 10 ? read_counted() : read_terminated();
      if (!name) return name.error();
      if (name->size() > kLongestName) return broken(kTooLong);
      if (table.bytes_after(name->size()) > limits_.memory) {
        return broken("the names need more memory than the limit", ErrorCode::kLimit);
      }
      table.add(header_.foreign ? byteswap(raw) : raw, *name);
    }
  }

 private:
  [[nodiscard]] Error broken(const char* what, ErrorCode code = ErrorCode::kDamaged) const {
    return {.code = code, .offset = bytes_.file_offset(), .what = what};
  }

  Error cut_off(const char* what) {
    const Status why = bytes_.why_short();
    return why ? broken(what) : why.error();
  }

  // 3.00: a length, then that many bytes. The name is valid until the next read of `bytes_`.
  Result<std::string_view> read_counted() {
    std::byte head[4];
    auto got = bytes_.read(head);
    if (!got) return got.error();
    if (*got < sizeof head) return cut_off("the name region ends inside a name's length");
    const auto raw = load<std::uint32_t>(head);
    const std::size_t length = header_.foreign ? byteswap(raw) : raw;
    name_.clear();
    if (length == 0) return std::string_view{};
    for (;;) {
      auto piece = next_piece();
      if (!piece) return piece.error();
      const std::string_view part = piece->substr(0, length - name_.size());
      bytes_.skip(part.size());
      if (part.size() == length) return part;  // all of it at once: no need to copy
      name_.append(part);
      if (name_.size() == length) return std::string_view(name_);
    }
  }

  Result<std::string_view> read_terminated() {
    name_.clear();
    for (;;) {
      auto piece = next_piece();
      if (!piece) return piece.error();
      const std::size_t end = piece->find('\0');
      const std::string_view part = piece->substr(0, end);
      const bool whole = end != std::string_view::npos;
      bytes_.skip(part.size() + (whole ? 1 : 0));
      if (whole && name_.empty()) return part;
      name_.append(part);
      if (whole) return std::string_view(name_);
    }
  }

  Result<std::string_view> next_piece() {
    if (name_.size() > kLongestName) return broken(kTooLong);
    auto piece = bytes_.peek();
    if (!piece) return piece.error();
    if (piece->empty()) return broken("the name region ends inside a name");
    return std::string_view(reinterpret_cast<const char*>(piece->data()), piece->size());
  }

  ByteReader& bytes_;
  const Header& header_;
  const Limits& limits_;
  std::string name_;  // one that came in more than one piece
};

}  // namespace

Status read_names(ByteReader& bytes, const Header& header, const Limits& limits, NameTable& table) {
  return NameReader(bytes, header, limits).read(table);
}

}  // namespace trikal::log
