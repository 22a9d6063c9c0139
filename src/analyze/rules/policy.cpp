#include "analyze/rules/policy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace trikal::analyze {
namespace {

constexpr std::string_view kAll = "all";

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r";
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::optional<bool> parse_flag(std::string_view text) {
  if (text == "yes" || text == "true" || text == "on") return true;
  if (text == "no" || text == "false" || text == "off") return false;
  return std::nullopt;
}

std::string keys_of(const Rule& rule) {
  std::string keys = "mute, least-seconds, least-share";
  for (const Limit& limit : rule.limits) keys += fmt::format(", {}", limit.name);
  return keys;
}

}  // namespace

std::optional<double> parse_limit(std::string_view text) {
  double scale = 1;
  if (!text.empty()) {
    constexpr std::string_view kUnits = "KMGT";
    const std::size_t unit = kUnits.find(text.back());
    if (unit != std::string_view::npos) {
      scale = std::ldexp(1.0, 10 * (static_cast<int>(unit) + 1));
      text.remove_suffix(1);
    }
  }
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !(value >= 0) || value * scale > 1e18)
    return std::nullopt;
  return value * scale;
}

std::string limit_text(double value) {
  constexpr std::string_view kUnits = "KMGT";
  std::string unit;
  for (const char suffix : kUnits) {
    if (value < 1024 || std::fmod(value, 1024) != 0) break;
    value /= 1024, unit = suffix;
  }
  return fmt::format("{}{}", value, unit);
}

// What is wrong with the line; empty if nothing is.
std::string Policy::set(std::string_view section, std::string_view key, std::string_view value) {
  Choice& choice = choices_[std::string(section)];
  if (key == "mute") {
    choice.mute = parse_flag(value);
    return choice.mute ? "" : fmt::format("mute is yes or no, not '{}'", value);
  }
  const std::optional<double> number = parse_limit(value);
  const Rule* rule = find_rule(section);
  const bool is_limit = rule != nullptr && std::ranges::find(rule->limits, key, &Limit::name) != rule->limits.end();
  if (!is_limit && key != "least-seconds" && key != "least-share") {
    return rule != nullptr ? fmt::format("{} has no limit '{}'; it has {}", section, key, keys_of(*rule))
                           : fmt::format("all has no '{}'; it has mute, least-seconds, least-share", key);
  }
  if (!number) return fmt::format("{} needs a number that is not negative, not '{}'", key, value);
  if (is_limit) choice.limits[std::string(key)] = *number;
  else (key == "least-seconds" ? choice.least_seconds : choice.least_share) = number;
  return {};
}

std::optional<PolicyError> Policy::read(std::string_view text) {
  std::string section;
  for (std::size_t line = 1; !text.empty(); ++line) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view whole = text.substr(0, end);
    const std::string_view words = trimmed(whole.substr(0, whole.find('#')));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (words.empty()) continue;
    if (words.front() == '[') {
      if (words.back() != ']') return PolicyError{line, "a section ends with ]"};
      section = trimmed(words.substr(1, words.size() - 2));
      if (section != kAll && find_rule(section) == nullptr)
        return PolicyError{line, fmt::format("there is no rule '{}' (trikal insights --list)", section)};
      continue;
    }
    const std::size_t equals = words.find('=');
    if (equals == std::string_view::npos) return PolicyError{line, "neither [RULE] nor KEY = VALUE"};
    if (section.empty()) return PolicyError{line, "a [RULE] or [all] must come first"};
    std::string wrong = set(section, trimmed(words.substr(0, equals)), trimmed(words.substr(equals + 1)));
    if (!wrong.empty()) return PolicyError{line, std::move(wrong)};
  }
  return std::nullopt;
}

const Policy::Choice* Policy::choice_of(std::string_view code) const {
  const auto found = choices_.find(code);
  return found == choices_.end() ? nullptr : &found->second;
}

bool Policy::mutes(const Rule& rule) const {
  for (const Choice* choice : {choice_of(rule.code), choice_of(kAll)}) {
    if (choice != nullptr && choice->mute) return *choice->mute;
  }
  return false;
}

std::vector<double> Policy::limits_of(const Rule& rule) const {
  std::vector<double> values;
  const Choice* choice = choice_of(rule.code);
  for (const Limit& limit : rule.limits) {
    values.push_back(limit.value);
    if (choice == nullptr) continue;
    if (const auto set = choice->limits.find(limit.name); set != choice->limits.end()) values.back() = set->second;
  }
  return values;
}

bool Policy::is_worth(const Rule& rule, const Finding& finding, const Run& run) const {
  if (!(finding.seconds > 0)) return true;
  double least_seconds = 0, least_share = 0;
  for (const Choice* choice : {choice_of(kAll), choice_of(rule.code)}) {
    if (choice == nullptr) continue;
    least_seconds = choice->least_seconds.value_or(least_seconds);
    least_share = choice->least_share.value_or(least_share);
  }
  return finding.seconds >= least_seconds && finding.seconds >= least_share * run.seconds;
}

}  // namespace trikal::analyze
