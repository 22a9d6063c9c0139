#include "report/screen.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>

namespace trikal::report {
namespace {

Colour wished = Colour::kAuto;

bool is_set(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && value[0] != '\0';
}

bool shows_colour(bool terminal) {
  if (wished != Colour::kAuto) return wished == Colour::kAlways;
  const char* kind = std::getenv("TERM");
  return terminal && !is_set("NO_COLOR") && kind != nullptr && std::string_view(kind) != "dumb";
}

// Of the terminal, where there is one; elsewhere what the variable says.
std::size_t columns_of(const Screen& screen, int descriptor) {
  winsize size{};
  if (screen.is_terminal && ::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  const char* text = std::getenv("COLUMNS");
  std::size_t columns = 0;
  if (text == nullptr) return Screen::kUnknownWidth;
  const char* end = text + std::strlen(text);
  const auto [stopped, problem] = std::from_chars(text, end, columns);
  return problem == std::errc() && stopped == end && columns > 0 ? columns : Screen::kUnknownWidth;
}

}  // namespace

std::optional<Colour> parse_colour(std::string_view text) {
  if (text == "auto") return Colour::kAuto;
  if (text == "always") return Colour::kAlways;
  if (text == "never") return Colour::kNever;
  return std::nullopt;
}

void set_colour(Colour wish) { wished = wish; }

Screen screen_of(int descriptor) {
  Screen screen;
  screen.is_terminal = ::isatty(descriptor) == 1;
  screen.colour = shows_colour(screen.is_terminal);
  screen.width = std::clamp<std::size_t>(columns_of(screen, descriptor), Screen::kNarrowest, Screen::kWidest);
  return screen;
}

}  // namespace trikal::report
