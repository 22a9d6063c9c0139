#pragma once
// What to do, spelled for whoever made the calls: the language or library that stands between the program's line and the call.

#include <vector>

#include "analyze/rules/rule.hpp"

namespace trikal::analyze {

// After name_sites: findings without call sites keep their rule's advice.
void advise_by_caller(const Run& run, std::vector<Finding>& findings);

}  // namespace trikal::analyze
