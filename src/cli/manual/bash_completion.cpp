// Completion for bash. It needs nothing but bash itself.

#include <fmt/format.h>

#include "cli/manual/documents.hpp"
#include "cli/manual/page.hpp"
#include "cli/program.hpp"

namespace trikal::cli {
namespace {

std::string joined(std::span<const std::string> words, std::string_view between) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : std::string(between)) + word;
  return text;
}

// What to offer for a value: the words of the function below.
std::string offer(const PageValue& value) {
  switch (value.kind) {
    case ValueKind::kFile: return "_trikal_paths -f";
    case ValueKind::kFolder: return "_trikal_paths -d";
    case ValueKind::kChoice: return "_trikal_words " + in_single_quotes(joined(value.choices, " "));
    case ValueKind::kModule: return "_trikal_words \"$(\"$program\" generate modules 2>/dev/null)\" any-case";
    case ValueKind::kCounter: return "_trikal_words \"$(\"$program\" generate names 2>/dev/null)\" any-case";
    case ValueKind::kVerb: return "_trikal_words " + in_single_quotes(joined(verb_names(), " "));
    case ValueKind::kText: return ":";
  }
  return ":";
}

std::string verb_case(const Page& page) {
  std::string values, options;
  for (const PageGroup& group : page.groups) {
    for (const PageOption& option : group.options) {
      options += (options.empty() ? "" : " ") + joined(option.names, " ");
      if (!option.takes_value()) continue;
      values += fmt::format("        {}) {}; return ;;\n", joined(option.names, " | "), offer(option.value));
    }
  }
  std::string text = fmt::format("    {})\n", page.verb->name);
  if (!values.empty()) text += fmt::format("      case $previous in\n{}      esac\n", values);
  text += fmt::format("      options={}\n", in_single_quotes(options));
  // All operands of a verb are of one kind.
  const std::string operand = page.operands.empty() ? ":" : offer(page.operands.front().value);
  return text + fmt::format("      operand() {{ {}; }}\n      ;;\n", operand);
}

constexpr std::string_view kHelpers = R"(_trikal_words() {
  local prefix=$current
  [ -z "${2:-}" ] || prefix=${current^^}
  mapfile -t COMPREPLY < <(compgen -W "$1" -- "$prefix")
}

_trikal_paths() {
  compopt -o filenames 2>/dev/null
  mapfile -t COMPREPLY < <(compgen "$1" -- "$current")
}

_trikal() {
  local program=$1 current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} options=
  COMPREPLY=()
  # bash makes three words of --option=value
  if [ "$current" = = ]; then current=; fi
  if [ "$previous" = = ] && ((COMP_CWORD > 2)); then previous=${COMP_WORDS[COMP_CWORD - 2]}; fi
  if ((COMP_CWORD == 1)); then
)";

}  // namespace

std::string in_single_quotes(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

std::vector<Document> bash_completion() {
  std::string text = "# Completion of trikal for bash; made by: trikal generate bash\n\n";
  text += kHelpers;
  text += fmt::format("    _trikal_words {}\n    return\n  fi\n",
                      in_single_quotes(joined(verb_names(), " ") + " --help --version"));
  text += "  operand() { :; }\n  case ${COMP_WORDS[1]} in\n";
  for (const Page& page : all_pages()) text += verb_case(page);
  text +=
      "  esac\n  case $current in\n    -?*) _trikal_words \"$options\" ;;\n    *) operand ;;\n  esac\n"
      "  unset -f operand\n}\n\ncomplete -F _trikal trikal\n";
  return {{"trikal", text}};
}

}  // namespace trikal::cli
