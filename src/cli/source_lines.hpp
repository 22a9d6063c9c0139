#pragma once
// The lines of source that findings name, where the source is at hand.

#include <vector>

#include "analyze/rules/rule.hpp"

namespace trikal::cli {

// For a person at a terminal. A log says which file it is, and whoever wrote the log may have said anything: only what
// is called like source is opened, and it is shown to nobody else. What was changed since the run says nothing of it.
void show_source_lines(const analyze::Run& run, std::vector<analyze::Finding>& findings);

}  // namespace trikal::cli
