#include "base/utf8.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace trikal {
namespace {

struct Step {
  std::size_t bytes;  // well-formed: of the character; else: of the longest part that could have begun one
  bool well_formed;
};

// What the second byte may be, told by the first: shuts out overlong forms, surrogates and what lies above U+10FFFF.
struct Lead {
  std::size_t more;  // bytes that follow; 0: no character begins with this one
  unsigned char low, high;
};

Lead lead_of(unsigned char first) noexcept {
  if (first >= 0xc2 && first <= 0xdf) return {1, 0x80, 0xbf};
  if (first == 0xe0) return {2, 0xa0, 0xbf};
  if (first == 0xed) return {2, 0x80, 0x9f};
  if (first >= 0xe1 && first <= 0xef) return {2, 0x80, 0xbf};
  if (first == 0xf0) return {3, 0x90, 0xbf};
  if (first >= 0xf1 && first <= 0xf3) return {3, 0x80, 0xbf};
  if (first == 0xf4) return {3, 0x80, 0x8f};
  return {0, 0, 0};
}

Step step(std::string_view text) noexcept {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x80) return {1, true};
  const Lead lead = lead_of(byte(0));
  if (lead.more == 0) return {1, false};
  for (std::size_t i = 1; i <= lead.more; ++i) {
    const unsigned char low = i == 1 ? lead.low : 0x80;
    const unsigned char high = i == 1 ? lead.high : 0xbf;
    if (i >= text.size() || byte(i) < low || byte(i) > high) return {i, false};
  }
  return {lead.more + 1, true};
}

// How many bytes of plain ASCII the text begins with, eight at a time: nearly all names are nothing else.
std::size_t ascii_run(std::string_view text) noexcept {
  std::size_t at = 0;
  for (; at + 8 <= text.size(); at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + at, 8);
    if ((word & 0x8080808080808080U) != 0) break;
  }
  while (at < text.size() && static_cast<unsigned char>(text[at]) < 0x80) ++at;
  return at;
}

// Bytes up to the first ill-formed part.
std::size_t well_formed_run(std::string_view text) noexcept {
  std::size_t at = 0;
  while (at < text.size()) {
    at += ascii_run(text.substr(at));
    if (at == text.size()) break;
    const Step next = step(text.substr(at));
    if (!next.well_formed) break;
    at += next.bytes;
  }
  return at;
}

char32_t code_point(std::string_view character) noexcept {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(character[i]); };
  constexpr unsigned char kLeadBits[] = {0x7f, 0x1f, 0x0f, 0x07};
  char32_t value = byte(0) & kLeadBits[character.size() - 1];
  for (std::size_t i = 1; i < character.size(); ++i) value = value << 6 | (byte(i) & 0x3f);
  return value;
}

struct Range {
  char32_t first, last;
};
// Controls, line and paragraph separators, direction marks, zero-width characters, tags and variation selectors.
constexpr Range kHidden[] = {{0x00, 0x1f},     {0x7f, 0x9f},      {0xad, 0xad},     {0x34f, 0x34f},   {0x61c, 0x61c},
                             {0x115f, 0x1160}, {0x17b4, 0x17b5},  {0x180b, 0x180f}, {0x200b, 0x200f}, {0x2028, 0x202e},
                             {0x2060, 0x206f}, {0x3164, 0x3164},  {0xfe00, 0xfe0f}, {0xfeff, 0xfeff}, {0xffa0, 0xffa0},
                             {0xfff0, 0xfffb}, {0xe0000, 0xe0fff}};

bool is_shown(char32_t value, LineBreaks breaks) noexcept {
  if (value >= 0x20 && value < 0x7f) return true;
  if (value == '\n' || value == '\t') return breaks == LineBreaks::kKeep;
  for (const Range& range : kHidden) {
    if (value <= range.last) return value < range.first;
  }
  return true;
}

void append_hex(std::string& out, char32_t value) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  const bool wide = value > 0xff;
  out += wide ? "\\u{" : "\\x";
  int shift = 4;
  while (wide && value >> (shift + 4) != 0) shift += 4;
  for (; shift >= 0; shift -= 4) out += kDigits[value >> shift & 0xfU];
  if (wide) out += '}';
}

}  // namespace

bool is_utf8(std::string_view text) noexcept { return well_formed_run(text) == text.size(); }

void append_utf8(std::string& out, std::string_view text) {
  while (!text.empty()) {
    const std::size_t good = well_formed_run(text);
    out.append(text, 0, good);
    text.remove_prefix(good);
    if (text.empty()) return;
    out += "\xef\xbf\xbd";
    text.remove_prefix(step(text).bytes);
  }
}

std::size_t printable_run(std::string_view text, LineBreaks breaks) noexcept {
  std::size_t at = 0;
  while (at < text.size()) {
    const Step next = step(text.substr(at));
    if (!next.well_formed || !is_shown(code_point(text.substr(at, next.bytes)), breaks)) break;
    at += next.bytes;
  }
  return at;
}

void append_printable(std::string& out, std::string_view text, LineBreaks breaks) {
  while (!text.empty()) {
    const std::size_t good = printable_run(text, breaks);
    out.append(text, 0, good);
    text.remove_prefix(good);
    if (text.empty()) return;
    const Step bad = step(text);
    if (bad.well_formed) append_hex(out, code_point(text.substr(0, bad.bytes)));
    else
      for (const char c : text.substr(0, bad.bytes)) append_hex(out, static_cast<unsigned char>(c));
    text.remove_prefix(bad.bytes);
  }
}

std::string printable(std::string_view text) {
  std::string clean;
  append_printable(clean, text, LineBreaks::kEscape);
  return clean;
}

}  // namespace trikal
