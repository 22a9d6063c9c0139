#pragma once
// What a site thinks of the rules: some are not asked, some have other limits, some findings are too cheap to tell.
//
//   # comment
//   [all]                    every rule
//   least-seconds = 0.5      findings that cost less are not told
//   [small-writes]           one rule, by its code
//   calls = 5000             one of its limits (docs/rules.md)
//   [errors]
//   mute = yes

#include <limits>
#include <map>
#include <optional>
#include <string>

#include "analyze/rules/rule.hpp"

namespace trikal::analyze {

struct PolicyError {
  std::size_t line = 0;
  std::string what;
};

class Policy {
 public:
  // The first thing that makes no sense ends the reading.
  [[nodiscard]] std::optional<PolicyError> read(std::string_view text);

  [[nodiscard]] bool mutes(const Rule& rule) const;
  [[nodiscard]] std::vector<double> limits_of(const Rule& rule) const;
  // Findings that cost nothing one could tell are always worth it.
  [[nodiscard]] bool is_worth(const Rule& rule, const Finding& finding, const Run& run) const;

 private:
  struct Choice {
    std::optional<bool> mute;
    std::optional<double> least_seconds, least_share;
    std::map<std::string, double, std::less<>> limits;
  };
  [[nodiscard]] const Choice* choice_of(std::string_view code) const;
  [[nodiscard]] std::string set(std::string_view section, std::string_view key, std::string_view value);

  std::map<std::string, Choice, std::less<>> choices_;  // by code; "all" for every rule
};

// The shortest text that parse_limit reads as this value: "64M", "0.05".
[[nodiscard]] std::string limit_text(double value);
// "12", "0.5", "64K", "1.5M", "2G" (of 1024); nothing where it is no such number.
[[nodiscard]] std::optional<double> parse_limit(std::string_view text);

}  // namespace trikal::analyze
