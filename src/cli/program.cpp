#include "cli/program.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/near_names.hpp"
#include "cli/manual/help_text.hpp"
#include "cli/version.hpp"

namespace trikal::cli {
namespace {

constexpr std::size_t kSuggestions = 4;

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

// What is wrong in words. A misspelt option comes before all else: its value was taken for an operand, or an operand
// for its value, so everything else CLI11 says would follow from that.
std::string wrong(const CLI::App& app, const CLI::ParseError& error) {
  for (const std::string& word : app.remaining()) {
    if (!word.starts_with("-") || word == "-") continue;
    return unknown_name("option", word.substr(0, word.find('=')), option_names(app));
  }
  return error.what();
}

int run_verb(const Verb& verb, int argc, char** argv) {
  CLI::App app;
  Action action;
  declare_verb(verb, app, action);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    fmt::print("{}", help_text(verb));
    return kOk;
  } catch (const CLI::ParseError& error) {
    fmt::print(stderr, "trikal {}: {}\n(trikal help {} tells more)\n", verb.name, wrong(app, error), verb.name);
    return kUsage;
  }
  return action();
}

}  // namespace

void declare_verb(const Verb& verb, CLI::App& app, Action& action) {
  app.name("trikal " + std::string(verb.name));
  app.set_help_flag("-h,--help", "this text")->group(kOtherGroup);
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
