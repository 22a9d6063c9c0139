#pragma once
// What a log knows that it does not know: silence would pass for an absence of I/O.

#include <span>
#include <string>
#include <vector>

#include "analyze/dataset/run.hpp"

namespace trikal::report {

// A line each, without an end: what was not seen, and why.
[[nodiscard]] std::vector<std::string> unseen_lines(std::span<const analyze::UnseenProgram> unseen);
// Those of them that are not about whole programs.
[[nodiscard]] std::vector<std::string> unseen_part_lines(std::span<const analyze::UnseenProgram> unseen);

}  // namespace trikal::report
