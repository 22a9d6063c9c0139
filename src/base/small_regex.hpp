#pragma once
// Regular expressions for code that may not allocate, which rules out libc's: the extended syntax without groups
// and counts (^ $ . * + ? [a-z] [^a-z] | and \ before a special letter).

#include <string_view>

namespace trikal {

// Whether the expression matches anywhere in the text. Gives up, with no, on one that takes too long.
[[nodiscard]] bool regex_finds(std::string_view expression, std::string_view text) noexcept;

}  // namespace trikal
