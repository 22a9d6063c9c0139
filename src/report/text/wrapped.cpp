#include "report/text/wrapped.hpp"

#include <algorithm>
#include <string>

namespace trikal::report {
namespace {

// Bytes of at most `columns` characters; those behind the first of a character have the bits 10 in front.
std::size_t bytes_of(std::string_view text, std::size_t columns) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xc0U) == 0x80) continue;
    if (columns-- == 0) return i;
  }
  return text.size();
}

}  // namespace

void put_wrapped(Sink& out, std::string_view text, std::size_t indent, Style style) {
  const std::string blanks(indent, ' ');
  const std::size_t columns = std::max(out.width(), indent + 20) - indent;
  while (!text.empty()) {
    std::size_t end = bytes_of(text, columns);
    if (end < text.size()) {
      end = text.rfind(' ', end);
      if (end == std::string_view::npos || end == 0) end = std::min(text.find(' '), text.size());
    }
    out.put(blanks);
    if (style == Style::kPlain) out.put(text.substr(0, end));
    else out.put(text.substr(0, end), style);
    out.put("\n");
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

}  // namespace trikal::report
