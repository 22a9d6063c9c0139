#include "cli/manual/page.hpp"

#include <algorithm>

#include "cli/program.hpp"

namespace trikal::cli {
namespace {

struct NamedKind {
  std::string_view name;
  ValueKind kind;
};
// What the names of values mean. A name with bars lists all values there are.
constexpr NamedKind kKinds[] = {
    {"LOG", ValueKind::kFile},         {"A", ValueKind::kFile},         {"B", ValueKind::kFile},
    {"OUT", ValueKind::kFile},         {"PATH", ValueKind::kFile},      {"DIR", ValueKind::kFolder},
    {"MODULE", ValueKind::kModule},    {"MODULES", ValueKind::kModule}, {"COUNTER", ValueKind::kCounter},
    {"VERB", ValueKind::kVerb},        {"SIZE", ValueKind::kText},      {"N", ValueKind::kText},
    {"0-9", ValueKind::kText},         {"ID", ValueKind::kText},        {"KEY=VALUE", ValueKind::kText},
    {"PART", ValueKind::kText},        {"DISTANCE", ValueKind::kText},  {"SECONDS", ValueKind::kText},
    {"TABLE", ValueKind::kText},       {"LIST", ValueKind::kText},      {"COMMAND", ValueKind::kFile},
    {"DIRECTORY", ValueKind::kFolder}, {"PROGRAM", ValueKind::kFile},   {"PID", ValueKind::kText},
    {"LOG...", ValueKind::kFile},      {"PATH...", ValueKind::kFile},   {"SOURCE", ValueKind::kFile},
    {"OPTION", ValueKind::kText},      {"NAME", ValueKind::kText},      {"URL", ValueKind::kText},
    {"CODE", ValueKind::kText},        {"STORE", ValueKind::kFile},     {"TARGET", ValueKind::kText},
    {"HOST", ValueKind::kText},        {"WORD", ValueKind::kText},      {"FILE", ValueKind::kFile},
    {"FILE.py", ValueKind::kFile},     {"QUERY", ValueKind::kFile},  // not one: bash and fish complete all operands of a verb alike
};

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(at, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

PageValue value_of(std::string name) {
  if (name.find('|') != std::string::npos) return {name, ValueKind::kChoice, split(name, '|')};
  const auto* known = std::ranges::find(kKinds, name, &NamedKind::name);
  return {std::move(name), known == std::end(kKinds) ? ValueKind::kText : known->kind, {}};
}

PageOption option_of(const DeclaredOption& option) {
  PageOption row{.names = option.names, .value = {}, .help = option.help, .standard = option.standard};
  if (option.takes_value) row.value = value_of(option.type_name);
  row.repeats = option.repeats;
  return row;
}

// The groups that many verbs have to the end.
void sort_groups(std::vector<PageGroup>& groups) {
  for (const char* last : {kInputGroup, kOtherGroup}) {
    const auto found = std::ranges::find(groups, last, &PageGroup::title);
    if (found != groups.end()) std::rotate(found, found + 1, groups.end());
  }
}

}  // namespace

std::string PageOption::head() const {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return takes_value() ? text + " " + value.name : text;
}

std::string PageOperand::head() const {
  const std::string text = value.name + (repeats ? "..." : "");
  return required ? text : "[" + text + "]";
}

std::string Page::synopsis() const {
  std::string text = "trikal " + std::string(verb->name) + " [options]";
  for (const PageOperand& operand : operands) text += " " + operand.head();
  return text;
}

std::vector<ExitCode> Page::exits() const {
  std::vector<ExitCode> codes;
  for (const ExitCode& exit : exit_codes()) {
    if ((verb->exits >> exit.code & 1U) != 0) codes.push_back(exit);
  }
  return codes;
}

Page page_of(const Verb& verb) {
  CommandLine line("trikal " + std::string(verb.name));
  Action action;
  declare_verb(verb, line, action);
  Page page{.verb = &verb, .operands = {}, .groups = {}};
  for (const DeclaredOption& option : line.declared()) {
    if (option.operand) {
      page.operands.push_back({.value = value_of(option.names.front()),
                               .help = option.help,
                               .required = option.required,
                               .repeats = option.repeats});
      continue;
    }
    auto group = std::ranges::find(page.groups, option.group, &PageGroup::title);
    if (group == page.groups.end()) group = page.groups.insert(group, {option.group, {}});
    group->options.push_back(option_of(option));
  }
  sort_groups(page.groups);
  return page;
}

std::vector<Page> all_pages() {
  std::vector<Page> pages;
  for (const Verb* verb : all_verbs()) {
    if (!verb->section.empty()) pages.push_back(page_of(*verb));
  }
  return pages;
}

std::vector<VerbSection> verb_sections() {
  std::vector<VerbSection> sections;
  for (const Verb* verb : all_verbs()) {
    if (verb->section.empty()) continue;
    auto section = std::ranges::find(sections, verb->section, &VerbSection::title);
    if (section == sections.end()) section = sections.insert(section, {verb->section, {}});
    section->verbs.push_back(verb);
  }
  return sections;
}

bool is_known_value(const std::string& name) {
  return value_of(name).kind == ValueKind::kChoice ||
         std::ranges::find(kKinds, name, &NamedKind::name) != std::end(kKinds);
}

}  // namespace trikal::cli
