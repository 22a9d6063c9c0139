#include "cli/program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/near_names.hpp"
#include "cli/manual/help_text.hpp"
#include "cli/version.hpp"

namespace trikal::cli {
namespace {

constexpr std::size_t kSuggestions = 4;

std::vector<std::string> option_names(const CommandLine& line) {
  std::vector<std::string> names;
  for (const DeclaredOption& option : line.declared()) {
    std::ranges::copy_if(option.names, std::back_inserter(names),
                         [](const std::string& name) { return name.starts_with("--"); });
  }
  return names;
}

// What is wrong in words. A misspelt option comes before all else: its value was taken for an operand, or an operand
// for its value, so everything else CLI11 says would follow from that.
std::string wrong(const CommandLine& line) {
  for (const std::string& argument : line.remaining()) {
    if (!argument.starts_with("-") || argument == "-" || argument == "--") continue;
    return unknown_name("option", argument.substr(0, argument.find('=')), option_names(line));
  }
  return line.error();
}

int run_verb(const Verb& verb, int argc, char** argv) {
  CommandLine line("trikal " + std::string(verb.name));
  Action action;
  declare_verb(verb, line, action);
  switch (line.parse(argc, argv)) {
    case Parsed::kHelp: fmt::print("{}", help_text(verb)); return kOk;
    case Parsed::kWrong:
      fmt::print(stderr, "trikal {}: {}\n(trikal help {} tells more)\n", verb.name, wrong(line), verb.name);
      return kUsage;
    case Parsed::kRun: break;
  }
  return action();
}

}  // namespace

void declare_verb(const Verb& verb, CommandLine& app, Action& action) {
  app.add_help("-h,--help", "this text")->group(kOtherGroup);
  verb.attach(app, action);
}

std::vector<std::string> verb_names() {
  std::vector<std::string> names;
  for (const Verb* verb : all_verbs()) {
    if (!verb->section.empty()) names.emplace_back(verb->name);
  }
  return names;
}

std::string unknown_name(std::string_view kind, std::string_view name, const std::vector<std::string>& names,
                         std::string_view otherwise) {
  std::string near;
  for (const std::string_view other : near_names(name, names, kSuggestions))
    near += fmt::format("{}{}", near.empty() ? "" : ", ", other);
  const std::string hint = near.empty() ? std::string(otherwise) : fmt::format("did you mean {}?", near);
  return fmt::format("no {} is called {}{}{}", kind, name, hint.empty() ? "" : "; ", hint);
}

int run_program(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "{}", verb_list());
    return kUsage;
  }
  const std::string_view first = argv[1];
  if (first == "--help" || first == "-h") return fmt::print("{}", verb_list()), kOk;
  if (first == "--version") return fmt::print("trikal {}\n", kVersion), kOk;
  if (const Verb* verb = find_verb(first)) return run_verb(*verb, argc - 1, argv + 1);
  constexpr std::string_view kOtherwise = "trikal help lists the verbs";
  const bool option = first.starts_with("-");
  fmt::print(stderr, "trikal: {}\n",
             option ? unknown_name("option", first, {"--help", "--version"}, kOtherwise)
                    : unknown_name("verb", first, verb_names(), kOtherwise));
  return kUsage;
}

}  // namespace trikal::cli
