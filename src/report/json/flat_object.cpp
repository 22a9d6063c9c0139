#include "report/json/flat_object.hpp"

#include <charconv>

namespace trikal::report {
namespace {

constexpr std::uint32_t kHighSurrogate = 0xd800, kLowSurrogate = 0xdc00, kEscapedByte = 0xdc80, kLastSurrogate = 0xdfff;

template <class T>
std::optional<T> whole_number(std::string_view text) {
  T value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

// Four hexadecimal digits at `at`.
bool read_unit(std::string_view raw, std::size_t at, std::uint32_t& unit) {
  if (raw.size() < at + 4) return false;
  const auto [end, error] = std::from_chars(raw.data() + at, raw.data() + at + 4, unit, 16);
  return error == std::errc() && end == raw.data() + at + 4;
}

void append_character(std::string& out, std::uint32_t character) {
  const auto tail = [&](unsigned shift) { out += static_cast<char>(0x80 | (character >> shift & 0x3f)); };
  if (character < 0x80) {
    out += static_cast<char>(character);
  } else if (character < 0x800) {
    out += static_cast<char>(0xc0 | character >> 6), tail(0);
  } else if (character < 0x10000) {
    out += static_cast<char>(0xe0 | character >> 12), tail(6), tail(0);
  } else {
    out += static_cast<char>(0xf0 | character >> 18), tail(12), tail(6), tail(0);
  }
}

// What stands behind \u; answers how many characters of `raw` that were. JsonWriter writes bytes that are no UTF-8 as
// \udc80 to \udcff, and they become those bytes again.
std::size_t append_unit(std::string& out, std::string_view raw) {
  std::uint32_t unit = 0, low = 0;
  if (!read_unit(raw, 0, unit)) return 0;
  if (unit >= kHighSurrogate && unit < kLowSurrogate && raw.substr(4).starts_with("\\u") && read_unit(raw, 6, low) &&
      low >= kLowSurrogate && low <= kLastSurrogate) {
    append_character(out, 0x10000 + ((unit - kHighSurrogate) << 10) + (low - kLowSurrogate));
    return 10;
  }
  if (unit >= kEscapedByte && unit < kEscapedByte + 0x80) out += static_cast<char>(unit - kLowSurrogate);
  else append_character(out, unit);
  return 4;
}

std::string unescaped(std::string_view raw) {
  constexpr std::string_view kEscapes = "bfnrt", kMeanings = "\b\f\n\r\t";
  std::string out;
  for (std::size_t at = 0; at < raw.size(); ++at) {
    if (raw[at] != '\\' || at + 1 == raw.size()) {
      out += raw[at];
      continue;
    }
    const char c = raw[++at];
    const std::size_t known = kEscapes.find(c);
    if (c == 'u') at += append_unit(out, raw.substr(at + 1));
    else out += known == kEscapes.npos ? c : kMeanings[known];
  }
  return out;
}

}  // namespace

bool FlatObject::take(char wanted) {
  skip_blanks();
  if (at_ >= line_.size() || line_[at_] != wanted) return false;
  ++at_;
  return true;
}

void FlatObject::skip_blanks() {
  while (at_ < line_.size() && (line_[at_] == ' ' || line_[at_] == '\t' || line_[at_] == '\r')) ++at_;
}

// JSON has no control characters in texts: one that is there is damage.
bool FlatObject::read_text(std::string_view& raw) {
  if (!take('"')) return false;
  const std::size_t begin = at_;
  for (; at_ < line_.size(); ++at_) {
    if (line_[at_] == '"') {
      raw = line_.substr(begin, at_++ - begin);
      return true;
    }
    if (static_cast<unsigned char>(line_[at_]) < 0x20) return false;
    if (line_[at_] == '\\') ++at_;
  }
  at_ = line_.size();
  return false;
}

// An object or array with all that is in it, however deep.
bool FlatObject::skip_nested() {
  std::size_t depth = 0;
  do {
    skip_blanks();
    if (at_ >= line_.size()) return false;
    const char c = line_[at_];
    std::string_view ignored;
    if (c == '"') {
      if (!read_text(ignored)) return false;
      continue;
    }
    if (c == '[' || c == '{') ++depth;
    if (c == ']' || c == '}') --depth;
    ++at_;
  } while (depth > 0);
  return true;
}

bool FlatObject::read_value(Field& field) {
  skip_blanks();
  if (at_ >= line_.size()) return false;
  if (line_[at_] == '"') return field.kind = Kind::kText, read_text(field.raw);
  if (line_[at_] == '[' || line_[at_] == '{') return skip_nested();
  const std::size_t end = std::min(line_.find_first_of(",}] \t\r", at_), line_.size());
  field.raw = line_.substr(at_, end - at_);
  const bool known = field.raw == "true" || field.raw == "false" || field.raw == "null";
  if (!known && (field.raw.empty() || field.raw.find_first_not_of("+-.0123456789eE") != std::string_view::npos))
    return false;
  field.kind = known ? Kind::kOther : Kind::kNumber;
  at_ = end;
  return true;
}

bool FlatObject::read_field() {
  Field field;
  if (!read_text(field.name) || !take(':') || !read_value(field)) return false;
  fields_.push_back(field);
  return true;
}

bool FlatObject::read_fields() {
  if (!take('{')) return false;
  if (take('}')) return true;
  do {
    if (!read_field()) return false;
  } while (take(','));
  return take('}');
}

Status FlatObject::parse(std::string_view line) {
  line_ = line, at_ = 0;
  fields_.clear();
  const bool whole = read_fields();
  skip_blanks();
  if (whole && at_ == line_.size()) return {};
  fields_.clear();
  return Error{.code = ErrorCode::kDamaged, .offset = at_, .what = "not a line of JSON"};
}

const FlatObject::Field* FlatObject::find(std::string_view name, Kind kind) const {
  for (const Field& field : fields_) {
    if (field.name == name) return field.kind == kind ? &field : nullptr;
  }
  return nullptr;
}

std::optional<std::int64_t> FlatObject::number(std::string_view name) const {
  const Field* field = find(name, Kind::kNumber);
  return field == nullptr ? std::nullopt : whole_number<std::int64_t>(field->raw);
}

std::optional<std::string_view> FlatObject::raw_text(std::string_view name) const {
  const Field* field = find(name, Kind::kText);
  return field == nullptr ? std::nullopt : std::optional(field->raw);
}

std::optional<std::string> FlatObject::text(std::string_view name) const {
  const auto raw = raw_text(name);
  return raw ? std::optional(unescaped(*raw)) : std::nullopt;
}

std::optional<std::uint64_t> FlatObject::number_in_text(std::string_view name) const {
  const auto raw = raw_text(name);
  return raw ? whole_number<std::uint64_t>(*raw) : std::nullopt;
}

bool FlatObject::is(std::string_view name, std::string_view text) const {
  const auto raw = raw_text(name);
  return raw && *raw == text;
}

}  // namespace trikal::report
