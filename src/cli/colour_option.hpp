#pragma once
// --color of the verbs that write for people.

#include "cli/command_line.hpp"

namespace trikal::cli {

// Sets it for all output (report/screen.hpp) while the command line is read.
void declare_colour(CommandLine& app);

}  // namespace trikal::cli
