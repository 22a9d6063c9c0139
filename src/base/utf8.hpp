#pragma once
// Names in logs are whatever bytes a program gave to open(). Formats that are Unicode by definition (JSON,
// Arrow, SQL text) get them with every ill-formed part replaced by U+FFFD.

#include <cstddef>
#include <string>
#include <string_view>

namespace trikal {

[[nodiscard]] bool is_utf8(std::string_view text) noexcept;

// Appends `text`, one U+FFFD for each longest ill-formed part: what browsers and Python's 'replace' do.
void append_utf8(std::string& out, std::string_view text);

// What a person may be shown of any bytes: control characters, ill-formed parts and characters that change the order or
// are invisible (bidirectional controls, zero-width characters) become \xNN or \u{NNNN}. A terminal would obey them.
enum class LineBreaks : bool { kEscape, kKeep };  // tabs go with them
void append_printable(std::string& out, std::string_view text, LineBreaks breaks);
[[nodiscard]] std::string printable(std::string_view text);  // on one line
// How many bytes at the front of `text` can be shown as they are.
[[nodiscard]] std::size_t printable_run(std::string_view text, LineBreaks breaks) noexcept;

}  // namespace trikal
