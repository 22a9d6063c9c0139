#pragma once
// What the verbs that print one log on standard output have in common.

#include <functional>

#include "cli/complain.hpp"
#include "cli/log_input.hpp"

namespace trikal::cli {

using LogPrinter = std::function<Status(report::Sink& out, log::Reader& reader, report::Notices& notices)>;

// Opens the log, has it printed and says what was wrong with it; the exit code.
int print_log(const LogInput& input, const LogPrinter& print, report::Audience audience = report::Audience::kProgram);

}  // namespace trikal::cli
