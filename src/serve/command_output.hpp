#pragma once
// Runs a command and takes what it prints.

#include <chrono>
#include <string>
#include <vector>

#include "base/result.hpp"

namespace trikal::serve {

struct CommandOutput {
  std::string out, err;  // cut at a limit
  int status = 0;  // as wait() tells it
  bool is_late = false, is_large = false;  // it was killed for that
};

// Waits for its end, but no longer than `limit`; then all of its process group is killed. Standard input is empty.
[[nodiscard]] Result<CommandOutput> output_of(const std::vector<std::string>& command,
                                              const std::vector<std::string>& environment,
                                              std::chrono::milliseconds limit);

}  // namespace trikal::serve
