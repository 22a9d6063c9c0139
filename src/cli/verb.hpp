#pragma once
// A verb of the command line: one row of the table in verbs.cpp, one file in verbs/. Help, man pages and shell
// completion are all made from what attach() declares.

#include <CLI/CLI.hpp>

#include <functional>
#include <span>
#include <string_view>

namespace trikal::cli {

// What main returns; the same for every verb, in every man page.
enum Exit : int {
  kOk = 0,
  kDiffers = 1,   // the answer is "no" (diff: the logs differ)
  kUsage = 2,     // the command line makes no sense
  kSystem = 3,    // a file could not be read or written
  kDamaged = 4,   // not a log, or a damaged one
  kLimit = 5,     // a limit was reached; an option raises it
};

using Action = std::function<int()>;

struct Example {
  std::string_view command;
  std::string_view meaning;
};

struct Verb {
  std::string_view name;
  std::string_view summary;               // one line, no full stop
  std::string_view description;           // a paragraph for the man page
  std::span<const Example> examples;
  void (*attach)(CLI::App& app, Action& action);  // declares options, says what to run
};

// In the order help shows them.
[[nodiscard]] std::span<const Verb* const> all_verbs();

}  // namespace trikal::cli
