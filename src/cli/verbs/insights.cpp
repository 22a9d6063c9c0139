// trikal insights: what is slow or wrong in a run, by the time it costs, and what to do about it.

#include <unistd.h>

#include "base/utf8.hpp"
#include "cli/colour_option.hpp"
#include "cli/history_option.hpp"
#include "cli/policy_option.hpp"
#include "cli/print_log.hpp"
#include "cli/site_names.hpp"
#include "cli/source_lines.hpp"
#include "cli/verbs.hpp"
#include "report/json/run_data.hpp"
#include "report/text/findings.hpp"

namespace trikal::cli {
namespace {

struct InsightsOptions {
  LogInput input;
  PolicyOption policy;
  HistoryOption history;
  bool json = false, list = false;
};

Status print(report::Sink& out, log::Reader& reader, const InsightsOptions& options) {
  auto run = analyze::read_run(reader);
  if (!run) return run.error();
  options.history.add_to(*run, options.input);
  name_nameless_sites(*run);
  std::vector<analyze::Finding> findings = analyze::find_all(*run, options.policy.policy);
  if (options.json) {
    report::write_insights_json(out, *run, findings);
    return {};
  }
  show_source_lines(*run, findings);
  // Before any finding: they are of what was seen.
  for (const std::string& warning : report::warnings_of(*run))
    out.put("warning: " + printable(warning) + "\n", report::Style::kWarning);
  report::write_findings(out, findings, *run);
  return {};
}

int list_all() {
  report::DescriptorSink out(STDOUT_FILENO);
  report::list_rules(out);
  const Status written = out.flush();
  return written ? kOk : complain("standard output", written.error());
}

int run_insights(InsightsOptions& options) {
  if (options.list) return list_all();
  if (options.input.path.empty()) return warn("insights", "a log is required, or --list"), kUsage;
  if (const int code = options.policy.load(); code != kOk) return code;
  return print_log(
      options.input,
      [&](report::Sink& out, log::Reader& reader, report::Notices&) { return print(out, reader, options); },
      options.json ? report::Audience::kProgram : report::Audience::kPerson);
}

constexpr const char* kShow = "What to show";

void attach_insights(CommandLine& app, Action& action) {
  auto options = std::make_shared<InsightsOptions>();
  options->input.declare(app);
  app.get_option("LOG")->required(false);
  app.add_flag("--json", options->json, "as JSON (schema trikal-insights 1)")->group(kShow);
  app.add_flag("--list", options->list, "list all rules by code")->group(kShow);
  options->policy.declare(app);
  declare_colour(app);
  options->history.declare(app);
  action = [options] { return run_insights(*options); };
}

constexpr Example kInsightsExamples[] = {
    {"trikal insights job.darshan", "what is slow in a run, by the seconds it costs"},
    {"trikal insights --json job.darshan", "the same for scripts"},
    {"trikal insights job.darshan --history logs", "is it slower than earlier runs of the same program?"},
    {"trikal insights --list", "all rules"},
};

}  // namespace

const Verb kInsights = {
    "insights",
    "say what is slow in a run, what it costs, how to mend it",
    "Looks at a log with every rule there is and prints the findings, those that cost the most seconds first: what was "
    "seen, in which files, how the seconds were estimated, and what to change. Where the run noted call sites, their "
    "lines "
    "stand below them if the source is still as it was. trikal explain CODE says more of one.",
    kInsightsExamples,
    attach_insights,
    kReadingSection};

}  // namespace trikal::cli
