#include "log/trailer/directory.hpp"

#include <algorithm>

namespace trikal::log {
namespace {

class Cursor {
 public:
  explicit Cursor(Bytes bytes) : bytes_(bytes) {}

  [[nodiscard]] bool ok() const { return ok_; }
  [[nodiscard]] std::size_t left() const { return bytes_.size(); }

  // Empty once there is not enough left.
  Bytes take(std::size_t count) {
    if (count > bytes_.size()) ok_ = false;
    if (!ok_) return {};
    const Bytes taken = bytes_.first(count);
    bytes_ = bytes_.subspan(count);
    return taken;
  }

  std::string text() {
    const Bytes length = take(2);
    const Bytes text = take(length.empty() ? 0 : load_le<std::uint16_t>(length.data()));
    return {reinterpret_cast<const char*>(text.data()), text.size()};
  }

 private:
  Bytes bytes_;
  bool ok_ = true;
};

bool known(std::uint8_t type) {
  return type >= static_cast<std::uint8_t>(ColumnType::kI64) && type <= static_cast<std::uint8_t>(ColumnType::kBytes);
}

bool inside(const Extent& extent, const Extent& space) {
  return extent.offset >= space.offset && extent.offset - space.offset <= space.length &&
         extent.length <= space.length - (extent.offset - space.offset);
}

// What newer writers put behind the columns is skipped: the entry tells its length.
bool parse_entry(Bytes bytes, Section& section) {
  using At = EntryLayout;
  Cursor cursor(bytes);
  const Bytes fixed = cursor.take(At::kBytes);
  if (!cursor.ok()) return false;
  const std::byte* at = fixed.data();
  const auto codec = load_le<std::uint8_t>(at + At::kCodecAt);
  if (codec > static_cast<std::uint8_t>(Codec::kNone)) return false;
  section.codec = static_cast<Codec>(codec);
  section.crc = load_le<std::uint32_t>(at + At::kCrcAt);
  section.stored = {load_le<std::uint64_t>(at + At::kOffsetAt), load_le<std::uint64_t>(at + At::kStoredAt)};
  section.plain_bytes = load_le<std::uint64_t>(at + At::kPlainAt);
  section.rows = load_le<std::uint64_t>(at + At::kRowsAt);
  const std::size_t columns = load_le<std::uint16_t>(at + At::kColumnsAt);
  section.name = cursor.text();
  section.help = cursor.text();
  for (std::size_t i = 0; i < columns; ++i) {
    const Bytes type = cursor.take(1);
    if (!cursor.ok() || !known(load<std::uint8_t>(type.data()))) return false;
    Section::ColumnText column;
    column.type = static_cast<ColumnType>(load<std::uint8_t>(type.data()));
    column.name = cursor.text();
    column.unit = cursor.text();
    column.help = cursor.text();
    section.columns.push_back(std::move(column));
  }
  return cursor.ok() && columns > 0 && !section.name.empty();
}

}  // namespace

bool parse_directory(Bytes bytes, std::uint64_t count, Extent space, std::vector<Section>& sections) {
  if (count > kSectionsMax) return false;
  while (bytes.size() >= EntryLayout::kBytes && sections.size() < count) {
    const std::size_t length = load_le<std::uint32_t>(bytes.data() + EntryLayout::kLengthAt);
    if (length < EntryLayout::kBytes || length > bytes.size()) return false;
    Section section;
    if (!parse_entry(bytes.first(length), section) || !inside(section.stored, space)) return false;
    if (std::ranges::find(sections, section.name, &Section::name) != sections.end()) return false;
    sections.push_back(std::move(section));
    bytes = bytes.subspan(length);
  }
  return bytes.empty() && sections.size() == count;
}

}  // namespace trikal::log
