#include "report/text/unseen.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace trikal::report {

std::vector<std::string> unseen_lines(std::span<const analyze::UnseenProgram> unseen) {
  constexpr std::size_t kMostShown = 3;
  std::vector<std::string> lines;
  for (const analyze::UnseenProgram& program : unseen.first(std::min(unseen.size(), kMostShown))) {
    lines.push_back(fmt::format("not seen: {} ({}), started {}", program.exe, program.why,
                                program.count == 1 ? "once" : fmt::format("{} times", program.count)));
  }
  if (unseen.size() > kMostShown)
    lines.push_back(fmt::format("and {} more programs (trikal export -t unseen)", unseen.size() - kMostShown));
  return lines;
}

}  // namespace trikal::report
