#pragma once
// A short text that holds its characters itself. A table of string_views is a table of addresses: in a library the dynamic linker
// writes each of them when a process starts, into pages that are then the process's own. A table of these stays in the file.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace trikal {

template <std::size_t N>
struct ShortText {
  char text[N] = {};
  std::uint8_t length = 0;
  static_assert(N < 256);

  constexpr ShortText() noexcept = default;
  template <std::size_t M>
  consteval ShortText(const char (&literal)[M]) noexcept : length(M - 1) {  // NOLINT: implicit
    static_assert(M <= N + 1, "this text is too long");
    std::copy_n(literal, M - 1, text);
  }

  [[nodiscard]] constexpr std::string_view view() const noexcept { return {text, length}; }
  constexpr operator std::string_view() const noexcept { return view(); }  // NOLINT: implicit
};

}  // namespace trikal
