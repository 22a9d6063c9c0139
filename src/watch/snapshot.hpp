#pragma once
// What is wrong with a run so far: its maps become a log in memory, and the rules look at that as they do after the run.

#include <string>
#include <vector>

#include "analyze/rules/policy.hpp"
#include "analyze/rules/rule.hpp"
#include "gather/maps.hpp"

namespace trikal::watch {

struct SnapshotFinding {
  std::string code, title, severity;
  double seconds = 0;
  bool operator==(const SnapshotFinding&) const = default;
};

// None where no log can be made of it.
[[nodiscard]] std::vector<SnapshotFinding> findings_of(const std::vector<gather::MapFile>& maps,
                                                       const analyze::Policy& policy);

// A log of it; empty where none can be made.
[[nodiscard]] std::string log_of(const std::vector<gather::MapFile>& maps);

}  // namespace trikal::watch
