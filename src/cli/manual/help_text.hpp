#pragma once
// Help as plain text of 80 columns.

#include <string>

#include "cli/verb.hpp"

namespace trikal::cli {

[[nodiscard]] std::string help_text(const Verb& verb);
// What `trikal` alone shows.
[[nodiscard]] std::string verb_list();

// Lines of at most `width` characters, each after `indent` spaces; a longer word has a line of its own.
[[nodiscard]] std::string wrapped(std::string_view text, std::size_t indent, std::size_t width);

// What the program is, in a line; used by all kinds of documentation.
inline constexpr std::string_view kProgramSummary = "shows how a program does I/O, and what to change";

}  // namespace trikal::cli
