#pragma once
// POSIX extended regular expressions for code that may not allocate, which rules out libc's. An expression becomes a
// program of bounded size on the stack, and all its states advance together, one byte of text at a time: the time is
// bounded by the product of both lengths, whatever the expression.

#include <string_view>

namespace trikal {

// What is wrong with an expression, in words; empty if nothing is. Groups, alternatives, repetitions, counts and sets
// with classes are known; back references, word boundaries and collating elements are refused.
[[nodiscard]] std::string_view regex_problem(std::string_view expression) noexcept;

// Whether the expression matches anywhere in the text. One with a problem matches nothing.
[[nodiscard]] bool regex_finds(std::string_view expression, std::string_view text) noexcept;

}  // namespace trikal
