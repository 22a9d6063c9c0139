#include "cli/program.hpp"

#include <fmt/format.h>

#include "cli/version.hpp"

namespace trikal::cli {
namespace {

std::string examples_of(const Verb& verb) {
  std::string text;
  for (const Example& example : verb.examples) {
    text += fmt::format("{}  {:<42}  {}\n", text.empty() ? "Examples:\n" : "", example.command, example.meaning);
  }
  return text;
}

}  // namespace

void declare_program(CLI::App& app, std::vector<Action>& actions) {
  app.description("shows how a program does I/O, and what to change");
  app.set_version_flag("--version", std::string("trikal ") + kVersion);
  app.require_subcommand(1);
  const auto verbs = all_verbs();
  actions.resize(verbs.size());
  for (std::size_t i = 0; i < verbs.size(); ++i) {
    CLI::App* sub = app.add_subcommand(std::string(verbs[i]->name), std::string(verbs[i]->summary));
    sub->footer(examples_of(*verbs[i]));
    verbs[i]->attach(*sub, actions[i]);
  }
}

int run_program(int argc, char** argv) {
  CLI::App app;
  app.name("trikal");
  std::vector<Action> actions;
  declare_program(app, actions);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kOk : kUsage;
  }
  const auto verbs = all_verbs();
  for (std::size_t i = 0; i < verbs.size(); ++i) {
    if (app.got_subcommand(std::string(verbs[i]->name))) return actions[i]();
  }
  return kUsage;
}

}  // namespace trikal::cli
