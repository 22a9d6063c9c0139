#pragma once
// Findings name the call sites they come from, where the run noted those.

#include <vector>

#include "analyze/rules/rule.hpp"

namespace trikal::analyze {

void name_sites(const Run& run, std::vector<Finding>& findings);

}  // namespace trikal::analyze
