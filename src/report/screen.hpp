#pragma once
// What the output goes to, and what it may be sent: only this decides about colour, width and raw bytes.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace trikal::report {

enum class Colour : std::uint8_t { kAuto, kAlways, kNever };
// "auto", "always", "never"
[[nodiscard]] std::optional<Colour> parse_colour(std::string_view text);
// The wish of the command line, for all output from now on.
void set_colour(Colour wish);

struct Screen {
  static constexpr std::size_t kNarrowest = 40, kWidest = 160, kUnknownWidth = 100;
  bool is_terminal = false;
  bool colour = false;                // by default on terminals, unless NO_COLOR is set or TERM is dumb
  std::size_t width = kUnknownWidth;  // where text wraps: that of the terminal, or COLUMNS
};
[[nodiscard]] Screen screen_of(int descriptor);

}  // namespace trikal::report
