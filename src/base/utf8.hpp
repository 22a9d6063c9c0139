#pragma once
// Names in logs are whatever bytes a program gave to open(). Formats that are Unicode by definition (JSON,
// Arrow, SQL text) get them with every ill-formed part replaced by U+FFFD.

#include <string>
#include <string_view>

namespace trikal {

[[nodiscard]] bool is_utf8(std::string_view text) noexcept;

// Appends `text`, one U+FFFD for each longest ill-formed part: what browsers and Python's 'replace' do.
void append_utf8(std::string& out, std::string_view text);

}  // namespace trikal
