#include "cli/manual/page.hpp"

#include <gtest/gtest.h>

#include <set>

#include "cli/manual/documents.hpp"
#include "cli/manual/help_text.hpp"
#include "cli/program.hpp"

namespace trikal::cli {
namespace {

TEST(Page, EveryVerbSaysEnough) {
  std::set<std::string_view> names;
  for (const Verb* verb : all_verbs()) {
    EXPECT_TRUE(names.insert(verb->name).second) << verb->name;
    EXPECT_EQ(find_verb(verb->name), verb);
    EXPECT_GE(verb->examples.size(), 2U) << verb->name;
    EXPECT_FALSE(verb->summary.empty() || verb->summary.ends_with('.')) << verb->name;
    EXPECT_TRUE(verb->description.ends_with('.')) << verb->name;
    EXPECT_LE(verb->name.size() + verb->summary.size(), 66U) << verb->name << ": NAME of a man page is one line";
    for (const Example& example : verb->examples) {
      EXPECT_NE(example.command.find("trikal " + std::string(verb->name)), std::string_view::npos) << example.command;
    }
  }
  EXPECT_EQ(find_verb(""), nullptr);
  EXPECT_EQ(find_verb("pars"), nullptr);
}

TEST(Page, EveryOptionIsGroupedAndHasHelp) {
  for (const Verb* verb : all_verbs()) {
    std::set<std::string> names;
    for (const PageGroup& group : page_of(*verb).groups) {
      EXPECT_NE(group.title, "Options") << verb->name;  // what CLI11 calls a group nobody named
      for (const PageOption& option : group.options) {
        for (const std::string& name : option.names) EXPECT_TRUE(names.insert(name).second) << verb->name << name;
        EXPECT_FALSE(option.help.empty()) << verb->name << option.head();
      }
    }
    EXPECT_TRUE(names.contains("--help")) << verb->name;
  }
}

TEST(Page, CompletionKnowsEveryValue) {
  for (const Verb* verb : all_verbs()) {
    const Page page = page_of(*verb);
    for (const PageGroup& group : page.groups) {
      for (const PageOption& option : group.options)
        EXPECT_TRUE(!option.takes_value() || is_known_value(option.value.name)) << verb->name << option.head();
    }
    for (const PageOperand& operand : page.operands) {
      EXPECT_TRUE(is_known_value(operand.value.name)) << verb->name << operand.head();
      EXPECT_EQ(operand.value.kind, page.operands.front().value.kind) << verb->name;  // bash and fish count on it
    }
  }
  EXPECT_FALSE(is_known_value("GUESS"));
}

TEST(Page, IsWhatTheVerbDeclares) {
  const Page page = page_of(*find_verb("export"));
  EXPECT_EQ(page.synopsis(), "trikal export [options] LOG");
  const PageOption& format = page.groups[0].options[0];
  EXPECT_EQ(format.head(), "-f, --format csv|json|sqlite|arrow|perfetto|openmetrics|ldms-json|ldms-csv");
  EXPECT_EQ(format.value.kind, ValueKind::kChoice);
  EXPECT_EQ(format.value.choices.size(), 8U);
  EXPECT_EQ(page.groups.back().title, kOtherGroup);
  EXPECT_EQ(page.groups[page.groups.size() - 2].title, kInputGroup);
  EXPECT_EQ(page_of(*find_verb("merge")).synopsis(), "trikal merge [options] LOG...");
  EXPECT_EQ(page_of(*find_verb("help")).synopsis(), "trikal help [options] [VERB]");
}

TEST(Page, ExitCodesAreTheVerbs) {
  const auto codes = [](std::string_view verb) {
    std::vector<int> all;
    for (const ExitCode& exit : page_of(*find_verb(verb)).exits()) all.push_back(exit.code);
    return all;
  };
  EXPECT_EQ(codes("parse"), (std::vector<int>{0, 2, 3, 4, 5}));
  EXPECT_EQ(codes("diff"), (std::vector<int>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(codes("explain"), (std::vector<int>{0, 2, 3}));
}

TEST(HelpText, IsWrapped) {
  EXPECT_EQ(wrapped("one two three", 2, 9), "  one two\n  three\n");
  EXPECT_EQ(wrapped("", 2, 9), "");
  EXPECT_EQ(wrapped("averylongword b", 0, 5), "averylongword\nb\n");
  for (const Verb* verb : all_verbs()) {
    std::istringstream lines(help_text(*verb));
    bool example = false;  // a command is not cut
    for (std::string line; std::getline(lines, line);) {
      example = line.starts_with("Examples:") || (example && !line.empty());
      EXPECT_TRUE(line.size() <= 80 || example) << line;
    }
  }
}

TEST(Documents, TextIsSafeInEachLanguage) {
  EXPECT_EQ(roff(".x -y 'z' \\ ~"), "\\&.x \\-y \\(aqz\\(aq \\e \\(ti");
  EXPECT_EQ(in_single_quotes("it's"), "'it'\\''s'");
  EXPECT_EQ(in_fish_quotes("it's \\"), "'it\\'s \\\\'");
  EXPECT_EQ(zsh_description("a [b]: c"), "a \\[b\\]\\: c");
}

TEST(Program, NamesThatAreNearAreSuggested) {
  EXPECT_EQ(unknown_name("verb", "pasre", verb_names()), "no verb is called pasre; did you mean parse?");
  EXPECT_EQ(unknown_name("verb", "qqqq", verb_names(), "see there"), "no verb is called qqqq; see there");
  EXPECT_EQ(unknown_name("verb", "qqqq", verb_names()), "no verb is called qqqq");
}

}  // namespace
}  // namespace trikal::cli
