#pragma once
// Runs a command with the runtime preloaded, passing signals on and its end back.

#include <string>
#include <vector>

#include "base/result.hpp"
#include "gather/collector.hpp"
#include "gather/held_signals.hpp"

namespace trikal::gather {

struct LaunchOptions {
  std::vector<std::string> command;
  std::string runtime;        // libtrikal.so
  std::string run_directory;  // where the processes leave their maps
  std::string run_overflow;   // and where else; empty: nowhere
  std::vector<std::string> settings;  // further NAME=value for the environment
};

// How the command ended, as waitpid tells it.
// `collector`, if any, works meanwhile.
[[nodiscard]] Result<int> run_command(const LaunchOptions& options, const HeldSignals& signals,
                                      Collector* collector = nullptr);

// A command line as maps keep it: each argument ended by a NUL, secrets hidden as TRIKAL_REDACT says.
[[nodiscard]] std::string argument_text(const std::vector<std::string>& command);

}  // namespace trikal::gather
