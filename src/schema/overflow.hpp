#pragma once
// The record that stands for all further files on a mount once memory is full. Its sums are exact; anything that is true of
// one file only (a position, a length, how often it was opened) means nothing there.

#include <string_view>

namespace trikal {

// "<other files on /scratch>". No path begins so: those of files are absolute.
inline constexpr std::string_view kOverflowPrefix = "<other files on ";
inline constexpr char kOverflowEnd = '>';

[[nodiscard]] constexpr bool is_overflow_name(std::string_view name) {
  return name.starts_with(kOverflowPrefix) && name.ends_with(kOverflowEnd);
}

}  // namespace trikal
