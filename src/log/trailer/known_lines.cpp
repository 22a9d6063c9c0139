#include "log/trailer/known_lines.hpp"

#include <algorithm>

namespace trikal::log {
namespace {

std::string_view take_until(std::string_view& text, char end) noexcept {
  const std::size_t at = std::min(text.find(end), text.size());
  const std::string_view taken(text.data(), at);
  text.remove_prefix(std::min(at + 1, text.size()));
  return taken;
}

}  // namespace

KnownLine KnownLine::take(std::string_view& list) noexcept {
  std::string_view line = take_until(list, '\n');
  KnownLine taken;
  taken.kind = take_until(line, '\t');
  taken.name = take_until(line, '\t');
  taken.unit = take_until(line, '\t');
  taken.help = line;
  return taken;
}

std::size_t LineFinder::find(const KnownLine& line) noexcept {
  std::string_view list = rest_;
  if (!list.empty() && KnownLine::take(list) == line) {
    rest_ = list;
    return next_++;
  }
  list = known_lines();
  for (std::size_t number = 0; !list.empty(); ++number) {
    if (KnownLine::take(list) != line) continue;
    next_ = number + 1, rest_ = list;
    return number;
  }
  return kUnknown;
}

}  // namespace trikal::log
