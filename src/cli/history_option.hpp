#pragma once
// --history: earlier logs of the same program, to hold a run against.

#include <string>
#include <vector>

#include "analyze/dataset/run.hpp"
#include "cli/log_input.hpp"

namespace trikal::cli {

struct HistoryOption {
  std::vector<std::string> paths;  // logs, and directories with logs

  void declare(CommandLine& app);
  // Adds the runs among them that came before this one. Logs that cannot be read cost a line.
  void add_to(analyze::Run& run, const LogInput& input) const;
};

}  // namespace trikal::cli
