#pragma once
// `trikal diff` of whole runs: several logs of each kind, as text, JSON or a page.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "analyze/compare/compare.hpp"
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

// The same of two logs that are open already. `compare_counters` then says whether the records are the same, too.
using CompareCounters = std::function<analyze::CompareResult(log::Reader& a, log::Reader& b)>;
[[nodiscard]] int compare_two_runs(RunComparison& wanted, const LogInput& input, std::unique_ptr<log::Reader> log_a,
                                   std::unique_ptr<log::Reader> log_b, const CompareCounters& compare_counters);

}  // namespace trikal::cli
