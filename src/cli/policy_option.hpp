#pragma once
// --policy of the verbs that show findings: which of them a site wants to hear, and from what numbers on.

#include "analyze/rules/policy.hpp"
#include "cli/verb.hpp"

namespace trikal::cli {

struct PolicyOption {
  std::string path;
  analyze::Policy policy;

  void declare(CommandLine& app);
  // Reads the file of --policy, else of TRIKAL_POLICY, else the system's if there is one. kOk, or what to end with
  // after one line that says which line of which file is wrong.
  [[nodiscard]] int load();
  // True if the user named a file for this very command.
  [[nodiscard]] bool is_explicit() const { return !path.empty(); }
};

}  // namespace trikal::cli
