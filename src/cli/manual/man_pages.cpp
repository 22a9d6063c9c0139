// Man pages in man(7), which both groff and mandoc read.

#include <fmt/format.h>

#include "cli/manual/documents.hpp"
#include "cli/manual/help_text.hpp"
#include "cli/manual/page.hpp"
#include "cli/version.hpp"

namespace trikal::cli {
namespace {

constexpr std::size_t kSourceWidth = 66;

std::string upper(std::string_view text) {
  std::string all(text);
  for (char& c : all) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return all;
}

std::string head(std::string_view name, std::string_view summary) {
  return fmt::format(".TH {} 1 {} \"trikal {}\" \"User Commands\"\n.SH NAME\n{} \\- {}\n", upper(name), kVersionDate,
                     kVersion, roff(name), roff(summary));
}

// Text to be filled, in lines short enough for people who read the source.
std::string paragraph(std::string_view text) {
  std::string lines;
  const std::string all = wrapped(text, 0, kSourceWidth);
  for (std::string_view rest = all; !rest.empty();) {
    const std::size_t end = rest.find('\n');
    lines += roff(rest.substr(0, end)) + "\n";
    rest.remove_prefix(end + 1);
  }
  return lines;
}

std::string section(std::string_view title) { return fmt::format(".SH {}\n", title); }

std::string row(std::string_view bold, std::string_view meaning) {
  return fmt::format(".TP\n\\fB{}\\fR\n{}", roff(bold), paragraph(meaning));
}

// "-o, --output PATH": names bold, the value in italics.
std::string option_row(const PageOption& option) {
  std::string names;
  for (const std::string& name : option.names)
    names += fmt::format("{}\\fB{}\\fR", names.empty() ? "" : ", ", roff(name));
  if (option.takes_value()) names += fmt::format(" \\fI{}\\fR", roff(option.value.name));
  const std::string standard = option.standard.empty() ? "" : fmt::format(" (default: {})", option.standard);
  return fmt::format(".TP\n{}\n{}", names, paragraph(option.help + standard));
}

std::string exits(std::span<const ExitCode> codes) {
  std::string text = section("EXIT STATUS");
  for (const ExitCode& exit : codes) text += row(std::to_string(exit.code), exit.meaning);
  return text;
}

std::string environment() {
  std::string text = section("ENVIRONMENT");
  for (const EnvironmentVariable& variable : kEnvironment) text += row(variable.name, variable.meaning);
  return text;
}

std::string verb_page(const Page& page) {
  const Verb& verb = *page.verb;
  std::string text = head("trikal-" + std::string(verb.name), verb.summary);
  text += section("SYNOPSIS") + fmt::format("\\fBtrikal {}\\fR [\\fIoptions\\fR]", roff(verb.name));
  for (const PageOperand& operand : page.operands) text += fmt::format(" \\fI{}\\fR", roff(operand.head()));
  text += "\n" + section("DESCRIPTION") + paragraph(verb.description);
  for (const PageOperand& operand : page.operands) {
    text += fmt::format(".TP\n\\fI{}\\fR\n{}", roff(operand.head()), paragraph(operand.help));
  }
  text += section("OPTIONS");
  for (const PageGroup& group : page.groups) {
    text += fmt::format(".SS {}\n", roff(group.title));
    for (const PageOption& option : group.options) text += option_row(option);
  }
  text += section("EXAMPLES");
  for (const Example& example : verb.examples) text += row(example.command, example.meaning);
  return text + exits(page.exits()) + environment() + section("SEE ALSO") + "\\fBtrikal\\fR(1)\n";
}

std::string program_page(const std::vector<Page>& pages) {
  std::string text = head("trikal", kProgramSummary);
  text += section("SYNOPSIS") +
          "\\fBtrikal\\fR \\fIverb\\fR [\\fIoptions\\fR] ...\n.br\n\\fBtrikal help\\fR [\\fIverb\\fR]\n.br\n"
          "\\fBtrikal \\-\\-version\\fR\n";
  text += section("DESCRIPTION") + "Each verb has a page of its own, under the name in brackets.\n";
  for (const VerbSection& verbs : verb_sections()) {
    text += fmt::format(".SS {}\n", roff(verbs.title));
    for (const Verb* verb : verbs.verbs) {
      text += row(verb->name, fmt::format("{} (trikal-{}(1))", verb->summary, verb->name));
    }
  }
  text += section("OTHER NAMES") + paragraph(kOtherNames);
  text += exits(exit_codes()) + environment() + section("SEE ALSO");
  for (std::size_t i = 0; i < pages.size(); ++i) {
    const bool last = i + 1 == pages.size();
    text += fmt::format("\\fBtrikal\\-{}\\fR(1){}\n", roff(pages[i].verb->name), last ? "" : ",");
  }
  return text;
}

}  // namespace

std::string roff(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    switch (c) {
      case '\\': safe += "\\e"; break;
      case '-': safe += "\\-"; break;
      case '\'': safe += "\\(aq"; break;
      case '`': safe += "\\(ga"; break;
      case '^': safe += "\\(ha"; break;
      case '~': safe += "\\(ti"; break;
      default: safe += c;
    }
  }
  return safe.starts_with(".") ? "\\&" + safe : safe;  // else a request
}

std::vector<Document> man_pages() {
  const std::vector<Page> pages = all_pages();
  std::vector<Document> files = {{"trikal.1", program_page(pages)}};
  for (const Page& page : pages) files.push_back({fmt::format("trikal-{}.1", page.verb->name), verb_page(page)});
  return files;
}

}  // namespace trikal::cli
