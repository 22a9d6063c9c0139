// Completion for zsh, in the terms of its _arguments.

#include <fmt/format.h>

#include "cli/manual/documents.hpp"
#include "cli/manual/page.hpp"

namespace trikal::cli {
namespace {

std::string action(const PageValue& value) {
  switch (value.kind) {
    case ValueKind::kFile: return "_files";
    case ValueKind::kFolder: return "_files -/";
    case ValueKind::kModule: return "_trikal_modules";
    case ValueKind::kCounter: return "_trikal_names";
    case ValueKind::kVerb: return "_trikal_verbs";
    case ValueKind::kText: return " ";
    case ValueKind::kChoice: break;
  }
  std::string words;
  for (const std::string& choice : value.choices) words += (words.empty() ? "" : " ") + choice;
  return "(" + words + ")";
}

std::string value_spec(const PageValue& value) {
  return fmt::format(":{}:{}", zsh_description(value.name), action(value));
}

std::string option_specs(const PageOption& option) {
  std::string all, specs;
  for (const std::string& name : option.names) all += (all.empty() ? "" : " ") + name;
  const std::string before = option.repeats ? "*" : fmt::format("({})", all);
  for (const std::string& name : option.names) {
    const bool is_long = name.starts_with("--");
    const std::string value = option.takes_value() ? value_spec(option.value) : "";
    const std::string_view joint = !option.takes_value() ? "" : is_long ? "=" : "+";
    specs += fmt::format("        {} \\\n", in_single_quotes(fmt::format("{}{}{}[{}]{}", before, name, joint,
                                                                         zsh_description(option.help), value)));
  }
  return specs;
}

std::string verb_case(const Page& page) {
  std::string specs;
  for (const PageGroup& group : page.groups) {
    for (const PageOption& option : group.options) specs += option_specs(option);
  }
  for (const PageOperand& operand : page.operands) {
    const std::string_view before = operand.repeats ? "*" : operand.required ? "" : ":";
    specs += fmt::format("        {} \\\n", in_single_quotes(std::string(before) + value_spec(operand.value)));
  }
  specs.resize(specs.size() - 3);  // the last line does not go on
  return fmt::format("    {})\n      _arguments -s -S \\\n{}\n      ;;\n", page.verb->name, specs);
}

constexpr std::string_view kHelpers = R"zsh(
_trikal_names() {
  local -a names
  names=(${(f)"$(_call_program names $service generate names)"})
  compadd -M 'm:{a-z}={A-Z}' -a names
}

_trikal_modules() {
  local -a modules
  modules=(${(f)"$(_call_program modules $service generate modules)"})
  compadd -M 'm:{a-z}={A-Z}' -a modules
}

_trikal() {
  local curcontext=$curcontext state line
  _arguments -C '(- *)--help[list the verbs]' '(- *)--version[say which trikal this is]' ': :_trikal_verbs' '*:: :->rest'
  [[ $state == rest ]] || return
  curcontext=${curcontext%:*}-$words[1]:
  case $words[1] in
)zsh";

}  // namespace

std::string zsh_description(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') safe += '\\';
    safe += c;
  }
  return safe;
}

std::vector<Document> zsh_completion() {
  std::string text = "#compdef trikal\n# Completion of trikal for zsh; made by: trikal generate zsh\n\n";
  text += "_trikal_verbs() {\n  local -a verbs\n  verbs=(\n";
  const std::vector<Page> pages = all_pages();
  for (const Page& page : pages) {
    text += fmt::format("    {}\n", in_single_quotes(fmt::format("{}:{}", page.verb->name, page.verb->summary)));
  }
  text += "  )\n  _describe -t verbs verb verbs\n}\n";
  text += kHelpers;
  for (const Page& page : pages) text += verb_case(page);
  text += "  esac\n}\n\n_trikal \"$@\"\n";
  return {{"_trikal", text}};
}

}  // namespace trikal::cli
