#pragma once
// Reading one log after the other.

#include <functional>
#include <span>

#include "analyze/dataset/run.hpp"
#include "cli/log_input.hpp"

namespace trikal::cli {

using TakeRun = std::function<void(const std::string& path, log::Reader& reader, const analyze::Run& run)>;

// A log that cannot be read is complained of and left out. The highest exit code of all.
int for_each_log(const LogInput& input, std::span<const std::string> logs, const TakeRun& take);

}  // namespace trikal::cli
