#pragma once
// A verb of the command line: one row of the table in verbs.cpp, one file in verbs/. Help, man pages, the manual and
// shell completion are all made from what stands here and what attach() declares.

#include "cli/command_line.hpp"

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

// Which of these a verb can end with: a bit each.
using ExitSet = unsigned;
inline constexpr ExitSet kAnswers = 1U << kOk | 1U << kUsage | 1U << kSystem;
inline constexpr ExitSet kReadsLogs = kAnswers | 1U << kDamaged | 1U << kLimit;
inline constexpr ExitSet kComparesLogs = kReadsLogs | 1U << kDiffers;

struct ExitCode {
  Exit code;
  std::string_view meaning;
};
[[nodiscard]] std::span<const ExitCode> exit_codes();

using Action = std::function<int()>;

struct Example {
  std::string_view command;
  std::string_view meaning;
};

struct Verb {
  std::string_view name;
  std::string_view summary;               // one line, no full stop
  std::string_view description;           // a paragraph
  std::span<const Example> examples;      // two or more
  void (*attach)(CommandLine& app, Action& action);  // declares options, says what to run
  std::string_view section;               // of the list of verbs; empty: not shown there
  ExitSet exits = kReadsLogs;
};

inline constexpr std::string_view kWatchingSection = "Watch a program";
inline constexpr std::string_view kReadingSection = "Read a log";
inline constexpr std::string_view kWritingSection = "Change or export a log";
inline constexpr std::string_view kAskingSection = "Ask";

// Groups of options that many verbs have. They come last in help, in this order.
inline constexpr const char* kInputGroup = "Damaged and large logs";
inline constexpr const char* kOtherGroup = "Other options";

// In the order help shows them; the hidden ones last.
[[nodiscard]] std::span<const Verb* const> all_verbs();
[[nodiscard]] const Verb* find_verb(std::string_view name);  // null: there is none

}  // namespace trikal::cli
