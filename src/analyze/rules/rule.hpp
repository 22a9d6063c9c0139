#pragma once
// A rule looks at a run and says what it finds. One file a rule, listed in rules.hpp and list.cpp; scripts/new-rule makes all three.
//
// A finding's seconds are an estimate of what the run would save on the slowest rank's clock. Its formula says how,
// with the numbers put in, so that anybody can disagree.

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/dataset/run.hpp"
#include "analyze/rules/yardstick.hpp"

namespace trikal::analyze {

enum class Severity : std::uint8_t { kInfo, kLow, kMedium, kHigh };

struct FileEvidence {
  std::string name;
  double seconds = 0;  // of what is lost
  std::string text;  // "4,000 opens"
};

struct Finding {
  std::string_view code;
  Severity severity = Severity::kInfo;
  double seconds = 0;  // lost
  std::string title;  // one line with the numbers
  std::vector<std::string> evidence;
  std::string formula;
  std::vector<FileEvidence> files;  // worst first
  std::string_view fix;  // the rule's
  std::string_view why;
};

struct Rule {
  std::string_view code;  // stable: scripts and people refer to it
  std::string_view summary;
  std::string_view why;  // what is bad about it
  std::string_view fix;  // what to do
  std::string_view formula;  // how the seconds are estimated, in words
  void (*look)(const Run& run, const Yardstick& yardstick, const Rule& rule, std::vector<Finding>& out);
};

[[nodiscard]] std::span<const Rule* const> all_rules();
[[nodiscard]] const Rule* find_rule(std::string_view code);

// All findings, the most seconds first; those without come last.
[[nodiscard]] std::vector<Finding> find_all(const Run& run);

}  // namespace trikal::analyze
