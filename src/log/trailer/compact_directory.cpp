#include "log/trailer/compact_directory.hpp"

#include <algorithm>

#include "log/trailer/directory.hpp"
#include "log/trailer/known_lines.hpp"
#include "log/trailer/varint.hpp"

namespace trikal::log {
namespace {

struct Line {
  bool section = false;
  Section::ColumnText text;
};

std::vector<Line> read_lines() {
  std::vector<Line> lines;
  for (std::string_view list = known_lines(); !list.empty();) {
    const KnownLine known = KnownLine::take(list);
    Line line{known.kind == kSectionLine, {std::string(known.name), std::string(known.unit), std::string(known.help)}};
    for (const ColumnType type :
         {ColumnType::kI64, ColumnType::kU64, ColumnType::kF64, ColumnType::kText, ColumnType::kBytes}) {
      if (known.kind == line_kind(type)) line.text.type = type;
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

class Cursor {
 public:
  explicit Cursor(Bytes bytes) : bytes_(bytes) {}

  [[nodiscard]] bool ok() const { return ok_; }
  [[nodiscard]] bool at_end() const { return bytes_.empty(); }

  // 0, and empty, once there is not enough left.
  std::uint64_t number() {
    std::uint64_t value = 0;
    const auto next = [this](std::uint8_t& byte) {
      if (bytes_.empty()) return false;
      byte = static_cast<std::uint8_t>(bytes_.front());
      bytes_ = bytes_.subspan(1);
      return true;
    };
    if (!take_varint(next, value)) ok_ = false;
    return ok_ ? value : 0;
  }
  Bytes take(std::uint64_t count) {
    if (count > bytes_.size()) ok_ = false;
    if (!ok_) return {};
    const Bytes taken = bytes_.first(static_cast<std::size_t>(count));
    bytes_ = bytes_.subspan(taken.size());
    return taken;
  }
  std::string text() {
    const Bytes text = take(number());
    return {reinterpret_cast<const char*>(text.data()), text.size()};
  }
  // A description, as a section's or a column's.
  bool line(bool of_section, Section::ColumnText& out) {
    const std::uint64_t code = number();
    if (!ok_) return false;
    if (code == kNewLine) return new_line(out);
    static const std::vector<Line> lines = read_lines();
    const std::uint64_t number = code == kNextLine ? next_line_ : code - kFirstLine;
    if (number >= lines.size() || lines[static_cast<std::size_t>(number)].section != of_section) return ok_ = false;
    out = lines[static_cast<std::size_t>(number)].text;
    next_line_ = number + 1;
    return true;
  }

 private:
  bool new_line(Section::ColumnText& out) {
    const std::uint64_t type = number();
    if (type < static_cast<std::uint64_t>(ColumnType::kI64) || type > static_cast<std::uint64_t>(ColumnType::kBytes))
      return ok_ = false;
    out.type = static_cast<ColumnType>(type);
    out.name = text(), out.unit = text(), out.help = text();
    return ok_;
  }

  Bytes bytes_;
  std::uint64_t next_line_ = 0;
  bool ok_ = true;
};

struct Stream {
  Extent stored;
  std::uint64_t plain = 0;  // of its sections
  std::uint64_t used = 0;   // by sections so far
  std::uint32_t crc = 0;
};

bool parse_streams(Cursor& cursor, const TrailerStreams& known, std::vector<Stream>& streams) {
  const std::uint64_t before = cursor.number();
  if (before > kSectionsMax) return false;
  std::uint64_t at = known.space.offset;
  for (std::uint64_t i = 0; i < before; ++i) {
    Stream stream;
    stream.stored = {at, cursor.number()};
    stream.plain = cursor.number();
    const Bytes crc = cursor.take(4);
    if (!cursor.ok() || stream.stored.length > known.last.offset - at) return false;
    stream.crc = load_le<std::uint32_t>(crc.data());
    at += stream.stored.length;
    streams.push_back(stream);
  }
  streams.push_back({known.last, known.skipped, 0, known.last_crc});
  return cursor.ok() && at == known.last.offset;
}

bool parse_section(Cursor& cursor, std::vector<Stream>& streams, Section& section) {
  Section::ColumnText head;
  if (!cursor.line(true, head)) return false;
  section.name = std::move(head.name), section.help = std::move(head.help);
  const std::uint64_t columns = cursor.number();
  if (columns == 0 || columns > 0xffff || section.name.empty()) return false;
  for (std::uint64_t i = 0; i < columns; ++i) {
    if (!cursor.line(false, section.columns.emplace_back())) return false;
  }
  const std::uint64_t stream = cursor.number();
  section.plain_bytes = cursor.number();
  section.rows = cursor.number();
  (void)cursor.take(cursor.number());
  if (!cursor.ok() || stream >= streams.size()) return false;
  Stream& in = streams[static_cast<std::size_t>(stream)];
  if (section.plain_bytes > in.plain - in.used) return false;
  section.stored = in.stored, section.crc = in.crc;
  section.plain_offset = in.used;
  section.grouped = true;
  in.used += section.plain_bytes;
  return true;
}

}  // namespace

bool parse_compact_directory(Bytes bytes, std::uint64_t count, const TrailerStreams& known,
                             std::vector<Section>& sections) {
  if (count > kSectionsMax) return false;
  Cursor cursor(bytes);
  std::vector<Stream> streams;
  if (!parse_streams(cursor, known, streams)) return false;
  for (std::uint64_t i = 0; i < count; ++i) {
    Section section;
    if (!parse_section(cursor, streams, section)) return false;
    if (std::ranges::find(sections, section.name, &Section::name) != sections.end()) return false;
    section.codec = known.codec;
    sections.push_back(std::move(section));
  }
  return cursor.at_end() &&
         std::ranges::all_of(streams, [](const Stream& stream) { return stream.used == stream.plain; });
}

}  // namespace trikal::log
