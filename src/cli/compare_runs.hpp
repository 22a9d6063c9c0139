#pragma once
// `trikal diff` of whole runs: several logs of each kind, as text, JSON or a page.

#include <string>
#include <vector>

#include "cli/log_input.hpp"
#include "cli/policy_option.hpp"

namespace trikal::cli {

struct RunComparison {
  std::vector<std::string> a, b;
  std::string page;  // where the page goes; empty: none
  bool by_name = false, json = false, force = false, quiet = false;
  double alpha = 0.05;
  PolicyOption policy;
};

// An exit code: kOk if no number differs, kDiffers else.
[[nodiscard]] int compare_runs(RunComparison& wanted, const LogInput& input);

}  // namespace trikal::cli
