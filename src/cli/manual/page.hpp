#pragma once
// What there is to say about a verb, read off its command line: help, man pages, the manual and completion for the
// shells are different ways of writing a Page.

#include <string>
#include <vector>

#include "cli/verb.hpp"

namespace trikal::cli {

// What can stand for a value; a shell that completes wants to know.
enum class ValueKind { kText, kFile, kFolder, kChoice, kModule, kCounter, kVerb };

struct PageValue {
  std::string name;  // "PATH"; of a choice "csv|json"
  ValueKind kind = ValueKind::kText;
  std::vector<std::string> choices;
};

struct PageOption {
  std::vector<std::string> names;  // with dashes, short ones first
  PageValue value;                 // no name: takes none
  std::string help;
  std::string standard;  // the value if none is given; empty where help says it
  bool repeats = false;

  [[nodiscard]] bool takes_value() const { return !value.name.empty(); }
  [[nodiscard]] std::string head() const;  // "-o, --output PATH"
};

struct PageOperand {
  PageValue value;
  std::string help;
  bool required = false, repeats = false;

  [[nodiscard]] std::string head() const;  // "LOG...", "[VERB]"
};

struct PageGroup {
  std::string title;
  std::vector<PageOption> options;
};

struct Page {
  const Verb* verb = nullptr;
  std::vector<PageOperand> operands;
  std::vector<PageGroup> groups;

  [[nodiscard]] std::string synopsis() const;  // "trikal merge [options] LOG..."
  [[nodiscard]] std::vector<ExitCode> exits() const;
};

[[nodiscard]] Page page_of(const Verb& verb);
[[nodiscard]] std::vector<Page> all_pages();  // of the verbs that are shown

// Verbs by section, in the order of the table.
struct VerbSection {
  std::string_view title;
  std::vector<const Verb*> verbs;
};
[[nodiscard]] std::vector<VerbSection> verb_sections();

// False for a value's name that the table in page.cpp does not have: completion would not know what to offer.
[[nodiscard]] bool is_known_value(const std::string& name);

}  // namespace trikal::cli
