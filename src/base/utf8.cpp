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

}  // namespace trikal
