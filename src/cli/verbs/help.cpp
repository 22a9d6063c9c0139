// trikal help: the verbs, or one of them.

#include <fmt/format.h>

#include "cli/manual/help_text.hpp"
#include "cli/program.hpp"
#include "cli/verbs.hpp"

namespace trikal::cli {
namespace {

int run_help(const std::string& name) {
  if (name.empty()) return fmt::print("{}", verb_list()), kOk;
  const Verb* verb = find_verb(name);
  if (verb != nullptr) return fmt::print("{}", help_text(*verb)), kOk;
  fmt::print(stderr, "trikal help: {}\n", unknown_name("verb", name, verb_names(), "trikal help lists the verbs"));
  return kUsage;
}

void attach_help(CommandLine& app, Action& action) {
  auto name = std::make_shared<std::string>();
  app.add_option("VERB", *name, "the verb to tell about; without it all are listed")->type_name("");
  action = [name] { return run_help(*name); };
}

constexpr Example kHelpExamples[] = {
    {"trikal help", "the verbs"},
    {"trikal help export", "what export does, its options, examples and exit codes"},
};

}  // namespace

const Verb kHelp = {"help",
                    "say what a verb does and which options it has",
                    "Prints the list of verbs, or all about one of them: the same text as trikal VERB --help.",
                    kHelpExamples,
                    attach_help,
                    kAskingSection,
                    1U << kOk | 1U << kUsage};

}  // namespace trikal::cli
