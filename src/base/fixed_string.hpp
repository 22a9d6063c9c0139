#pragma once
// A string literal as a template argument: record.at<"POSIX_OPENS">().

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace trikal {

template <std::size_t N>
struct FixedString {
  char text[N]{};
  consteval FixedString(const char (&literal)[N]) { std::copy_n(literal, N, text); }  // NOLINT: implicit
  [[nodiscard]] constexpr std::string_view view() const { return {text, N - 1}; }
};

}  // namespace trikal
