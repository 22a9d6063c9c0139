// Completion for fish.

#include <fmt/format.h>

#include "cli/manual/documents.hpp"
#include "cli/manual/page.hpp"
#include "cli/program.hpp"

namespace trikal::cli {
namespace {

std::string joined(std::span<const std::string> words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

// How fish is told what a value may be.
std::string values(const PageValue& value) {
  switch (value.kind) {
    case ValueKind::kFile: return " -F";
    case ValueKind::kFolder: return " -f -a '(__fish_complete_directories)'";
    case ValueKind::kChoice: return fmt::format(" -f -a {}", in_fish_quotes(joined(value.choices)));
    case ValueKind::kModule: return " -f -a '(__trikal_program generate modules)'";
    case ValueKind::kCounter: return " -f -a '(__trikal_program generate names)'";
    case ValueKind::kVerb: return fmt::format(" -f -a {}", in_fish_quotes(joined(verb_names())));
    case ValueKind::kText: return " -f";
  }
  return "";
}

std::string option_line(const std::string& when, const PageOption& option) {
  std::string line = when;
  for (const std::string& name : option.names) {
    const bool is_long = name.starts_with("--");
    line += fmt::format(" {} {}", is_long ? "-l" : "-s", name.substr(is_long ? 2 : 1));
  }
  if (option.takes_value()) line += " -r" + values(option.value);
  return fmt::format("{} -d {}\n", line, in_fish_quotes(option.help));
}

constexpr std::string_view kHelpers = R"(
function __trikal_verb_is
    set -l words (commandline -opc)
    test (count $words) -ge 2; and test "$words[2]" = $argv[1]
end

function __trikal_no_verb
    test (count (commandline -opc)) -eq 1
end

function __trikal_program
    set -l words (commandline -opc)
    $words[1] $argv 2>/dev/null
end

complete -c trikal -f
)";

}  // namespace

std::string in_fish_quotes(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "'";
}

std::vector<Document> fish_completion() {
  std::string text = "# Completion of trikal for fish; made by: trikal generate fish\n";
  text += kHelpers;
  text +=
      "complete -c trikal -n __trikal_no_verb -l help -d 'list the verbs'\n"
      "complete -c trikal -n __trikal_no_verb -l version -d 'say which trikal this is'\n";
  const std::vector<Page> pages = all_pages();
  for (const Page& page : pages) {
    text += fmt::format("complete -c trikal -n __trikal_no_verb -a {} -d {}\n", page.verb->name,
                        in_fish_quotes(page.verb->summary));
  }
  for (const Page& page : pages) {
    const std::string when = fmt::format("complete -c trikal -n '__trikal_verb_is {}'", page.verb->name);
    text += "\n";
    if (!page.operands.empty()) text += when + values(page.operands.front().value) + "\n";
    for (const PageGroup& group : page.groups) {
      for (const PageOption& option : group.options) text += option_line(when, option);
    }
  }
  return {{"trikal.fish", text}};
}

}  // namespace trikal::cli
