#include "cli/manual/help_text.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "cli/manual/page.hpp"
#include "report/screen.hpp"

namespace trikal::cli {
namespace {

constexpr std::size_t kMostWidth = 80, kColumn = 26;

// Help is printed on standard output; long lines are hard to read on a wide screen, too.
std::size_t help_width() { return std::min(kMostWidth, report::screen_of(STDOUT_FILENO).width); }

// A head and what it means in the second column, below it where the head is too long.
std::string row(std::string_view head, std::string_view meaning) {
  std::string text = fmt::format("  {}", head);
  const std::string column = wrapped(meaning, kColumn, help_width());
  if (text.size() + 2 > kColumn) return text + "\n" + column;
  text.resize(kColumn, ' ');
  return text + column.substr(kColumn);
}

std::string meaning_of(const PageOption& option) {
  if (option.standard.empty()) return option.help;
  return fmt::format("{} (default: {})", option.help, option.standard);
}

}  // namespace

std::string wrapped(std::string_view text, std::size_t indent, std::size_t width) {
  std::string lines, line;
  const std::string margin(indent, ' ');
  const auto end_line = [&] {
    if (!line.empty()) lines += margin + line + "\n";
    line.clear();
  };
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (indent + line.size() + 1 + word.size() > width) end_line();
    if (!word.empty()) line += (line.empty() ? "" : " ") + std::string(word);
  }
  end_line();
  return lines;
}

std::string help_text(const Verb& verb) {
  const Page page = page_of(verb);
  std::string text = wrapped("Usage: " + page.synopsis(), 0, help_width());
  text += fmt::format("\n{}\n", wrapped(verb.description, 0, help_width()));
  for (const PageOperand& operand : page.operands) text += row(operand.head(), operand.help);
  for (const PageGroup& group : page.groups) {
    text += fmt::format("\n{}:\n", group.title);
    for (const PageOption& option : group.options) text += row(option.head(), meaning_of(option));
  }
  text += "\nExamples:\n";
  for (const Example& example : verb.examples) {
    text += fmt::format("  {}\n{}", example.command, wrapped(example.meaning, 6, help_width()));
  }
  text += "\nExit codes:\n";
  for (const ExitCode& exit : page.exits())
    text += fmt::format("  {}  {}\n", static_cast<int>(exit.code), exit.meaning);
  return text;
}

std::string verb_list() {
  std::string text = fmt::format("trikal {}\n\nUsage: trikal VERB [options] ...\n", kProgramSummary);
  for (const VerbSection& section : verb_sections()) {
    text += fmt::format("\n{}:\n", section.title);
    for (const Verb* verb : section.verbs) text += fmt::format("  {:<10}  {}\n", verb->name, verb->summary);
  }
  return text +
         "\ntrikal help VERB   what a verb does, its options and examples\n"
         "trikal --version   which trikal this is\n";
}

}  // namespace trikal::cli
