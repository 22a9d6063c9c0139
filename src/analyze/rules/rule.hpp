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
#include "analyze/rules/baseline.hpp"
#include "analyze/rules/critical_path.hpp"

namespace trikal::analyze {

enum class Severity : std::uint8_t { kInfo, kLow, kMedium, kHigh };

struct FileEvidence {
  std::string name;
  double seconds = 0;  // of what is lost
  std::string text;  // "4,000 opens"
  std::vector<SiteUse> sites = {};  // where in the code, worst first; none where the run did not note it
};

struct Finding {
  std::string_view code;
  Severity severity = Severity::kInfo;
  double seconds = 0;  // lost
  double least = 0, most = 0;  // how much less or more it may be
  std::string title;  // one line with the numbers
  std::vector<std::string> evidence;
  std::string formula;
  std::vector<FileEvidence> files;  // worst first, the worst of them
  std::size_t file_count = 0;  // of all of them
  std::string fix;  // for what was seen; where a rule says nothing special, the rule's own
  std::string_view why;
  std::vector<std::string_view> overlaps = {};  // with these findings: much of the time is the same
};

// A number that decides whether a rule speaks. A site may set another: policy.hpp.
struct Limit {
  std::string_view name;
  double value = 0;
  std::string_view meaning;
};

// Where a rule's limit stands; a name that is not among them does not compile.
consteval std::size_t at(std::span<const Limit> limits, std::string_view name) {
  std::size_t index = 0;
  while (limits[index].name != name) ++index;
  return index;
}

// What a rule looks at, and with which limits.
struct Scene {
  const Run& run;
  const Baseline& baseline;
  std::span<const double> limits;  // as many as the rule has, in its order

  [[nodiscard]] double operator[](std::size_t limit) const { return limits[limit]; }
  [[nodiscard]] std::int64_t count(std::size_t limit) const { return static_cast<std::int64_t>(limits[limit]); }
};

struct Rule {
  std::string_view code;  // stable: scripts and people refer to it
  std::string_view summary;
  std::string_view why;  // what is bad about it
  std::string_view fix;  // what to do
  std::string_view formula;  // how the seconds are estimated, in words
  void (*look)(const Scene& scene, std::vector<Finding>& out);
  std::span<const Limit> limits = {};
};

[[nodiscard]] std::span<const Rule* const> all_rules();
[[nodiscard]] const Rule* find_rule(std::string_view code);

class Policy;

// All findings, the most seconds first; those without come last.
[[nodiscard]] std::vector<Finding> find_all(const Run& run);
// The same, but for what a site does not want to hear, and with its limits.
[[nodiscard]] std::vector<Finding> find_all(const Run& run, const Policy& policy);

}  // namespace trikal::analyze
