// trikal explain: what a counter or a module means.

#include <fmt/format.h>
#include <unistd.h>

#include "analyze/dataset/vocabulary.hpp"
#include "cli/complain.hpp"
#include "cli/program.hpp"
#include "cli/verbs.hpp"
#include "modules/list.hpp"
#include "report/json/explain.hpp"
#include "report/text/explain.hpp"
#include "report/text/findings.hpp"

namespace trikal::cli {
namespace {

struct ExplainOptions {
  std::string name;
  bool list = false, json = false;
};

int unknown(const std::string& name) {
  constexpr std::string_view kOtherwise = "trikal explain --list shows modules and findings";
  std::vector<std::string> names = analyze::all_names();
  for (const analyze::Rule* rule : analyze::all_rules()) names.emplace_back(rule->code);
  fmt::print(stderr, "trikal explain: {}\n", unknown_name("counter, module or finding", name, names, kOtherwise));
  return kUsage;
}

void explain(report::Sink& out, const ExplainOptions& options, const ModuleFormat& module) {
  const ModuleFormat* one = &module;
  if (options.json) report::write_modules_json(out, {&one, 1});
  else if (options.list) report::list_terms(out, module);
  else report::explain_module(out, module);
}

int explain(report::Sink& out, const ExplainOptions& options) {
  if (const ModuleFormat* module = find_module(options.name)) return explain(out, options, *module), kOk;
  if (const analyze::Rule* rule = analyze::find_rule(options.name)) return report::explain_rule(out, *rule), kOk;
  const std::optional<analyze::Term> term = analyze::find_term(options.name);
  if (!term) return unknown(options.name);
  if (options.json) report::write_terms_json(out, {&*term, 1});
  else report::explain_term(out, *term);
  return kOk;
}

void list(report::Sink& out) {
  out.put("modules\n");
  report::list_modules(out);
  out.put("\nfindings\n");
  report::list_rules(out);
}

int run_explain(const ExplainOptions& options) {
  report::DescriptorSink out(STDOUT_FILENO);
  int code = kOk;
  if (!options.name.empty()) code = explain(out, options);
  else if (options.json) report::write_modules_json(out, all_modules());
  else if (options.list) list(out);
  else return warn("explain", "a counter, a module or a finding is required, or --list"), kUsage;
  const Status written = out.flush();
  return written ? code : complain("standard output", written.error());
}

constexpr const char* kShow = "What to show";

void attach_explain(CommandLine& app, Action& action) {
  auto options = std::make_shared<ExplainOptions>();
  app.add_option("COUNTER", options->name, "a counter or a module, in any case, or the code of a finding")
      ->type_name("");
  app.add_flag("--list", options->list,
               "only names and meanings: of a module's counters, or of all modules and findings")
      ->group(kShow);
  app.add_flag("--json", options->json, "as JSON (schema trikal-explain 1); without a name, everything")->group(kShow);
  action = [options] { return run_explain(*options); };
}

constexpr Example kExplainExamples[] = {
    {"trikal explain POSIX_SEQ_READS", "what a counter counts, its unit, how ranks are put together"},
    {"trikal explain POSIX_SIZE_READ_100_1K", "one counter of a histogram"},
    {"trikal explain MPI-IO", "a module and all its counters"},
    {"trikal explain small-writes", "a finding: why it is bad, what to do, how its seconds are estimated"},
    {"trikal explain --list", "the modules and the findings"},
    {"trikal explain --list STDIO", "the counters of a module"},
};

}  // namespace

const Verb kExplain = {
    "explain",
    "say what a counter or a module means",
    "Tells what a counter counts, in which unit, how the values of several ranks become one, what each counter of a "
    "histogram stands for, which values are no quantities, and since which version of its module's records it exists. "
    "All of it comes from the tables that the reader itself uses.",
    kExplainExamples,
    attach_explain,
    kAskingSection,
    kAnswers};

}  // namespace trikal::cli
