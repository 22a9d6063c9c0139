#pragma once
// The program: all verbs under one command.

#include "cli/command_line.hpp"

#include "cli/verb.hpp"

namespace trikal::cli {

int run_program(int argc, char** argv);

// One verb's command line as declared, for running it and for writing about it.
void declare_verb(const Verb& verb, CommandLine& app, Action& action);

// "no KIND is called NAME; did you mean ...?" without a line's end.
[[nodiscard]] std::string unknown_name(std::string_view kind, std::string_view name,
                                       const std::vector<std::string>& names, std::string_view otherwise = "");
// The names of all verbs that are shown.
[[nodiscard]] std::vector<std::string> verb_names();

}  // namespace trikal::cli
