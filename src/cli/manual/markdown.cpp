// The manual as Markdown: docs/manual of the source tree.

#include <fmt/format.h>

#include "cli/manual/documents.hpp"
#include "cli/manual/help_text.hpp"
#include "cli/manual/page.hpp"

namespace trikal::cli {
namespace {

constexpr std::string_view kOrigin = "<!-- made by `trikal generate markdown`; change src/cli/verbs instead -->\n\n";
constexpr std::size_t kWidth = 120;

// Inside a table a bar ends the cell, in code as well; elsewhere < would begin a tag.
std::string cell(std::string_view text) {
  std::string safe;
  for (const char c : text) safe += c == '|' ? "\\|" : c == '<' ? "&lt;" : std::string(1, c);
  return safe;
}

std::string code_cell(std::string_view text) {
  std::string safe;
  for (const char c : text) safe += c == '|' ? "\\|" : std::string(1, c);
  return "`" + safe + "`";
}

std::string row(std::string_view code, std::string_view meaning) {
  return fmt::format("| {} | {} |\n", code_cell(code), cell(meaning));
}

std::string table() { return "| | |\n|---|---|\n"; }

std::string exits(std::span<const ExitCode> codes) {
  std::string text = "## Exit codes\n\n" + table();
  for (const ExitCode& exit : codes) text += row(std::to_string(exit.code), exit.meaning);
  return text;
}

std::string verb_page(const Page& page) {
  const Verb& verb = *page.verb;
  std::string text = fmt::format("# trikal {}\n\n{}{}.\n\n```\n{}\n```\n\n{}\n", verb.name, kOrigin, verb.summary,
                                 page.synopsis(), wrapped(cell(verb.description), 0, kWidth));
  if (!page.operands.empty()) text += table();
  for (const PageOperand& operand : page.operands) text += row(operand.head(), operand.help);
  if (!page.operands.empty()) text += "\n";
  for (const PageGroup& group : page.groups) {
    text += fmt::format("## {}\n\n{}", group.title, table());
    for (const PageOption& option : group.options) {
      const std::string standard = option.standard.empty() ? "" : fmt::format(" (default: {})", option.standard);
      text += row(option.head(), option.help + standard);
    }
    text += "\n";
  }
  text += "## Examples\n\n";
  for (const Example& example : verb.examples)
    text += fmt::format("{}:\n\n```\n{}\n```\n\n", cell(example.meaning), example.command);
  return text + exits(page.exits());
}

std::string index() {
  std::string text = fmt::format("# Manual\n\n{}trikal {}. `trikal help VERB` shows the same on a terminal.\n", kOrigin,
                                 kProgramSummary);
  for (const VerbSection& section : verb_sections()) {
    text += fmt::format("\n## {}\n\n{}", section.title, table());
    for (const Verb* verb : section.verbs)
      text += fmt::format("| [trikal {0}](trikal-{0}.md) | {1} |\n", verb->name, cell(verb->summary));
  }
  text += fmt::format("\n## Other names\n\n{}\n{}\n## Environment\n\n{}", wrapped(kOtherNames, 0, kWidth),
                      exits(exit_codes()), table());
  for (const EnvironmentVariable& variable : kEnvironment) text += row(variable.name, variable.meaning);
  return text;
}

}  // namespace

std::vector<Document> markdown_manual() {
  std::vector<Document> files = {{"README.md", index()}};
  for (const Page& page : all_pages()) files.push_back({fmt::format("trikal-{}.md", page.verb->name), verb_page(page)});
  return files;
}

}  // namespace trikal::cli
