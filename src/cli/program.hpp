#pragma once
// The program: all verbs under one command.

#include <CLI/CLI.hpp>

#include <vector>

#include "cli/verb.hpp"

namespace trikal::cli {

int run_program(int argc, char** argv);

// The command line as declared, for running and for writing its documentation. `actions` has one entry a verb,
// in the order of all_verbs().
void declare_program(CLI::App& app, std::vector<Action>& actions);

}  // namespace trikal::cli
