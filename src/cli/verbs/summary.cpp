// trikal summary: a run on one screen; several runs, one line each.

#include "report/text/summary.hpp"

#include <unistd.h>

#include "cli/colour_option.hpp"
#include "cli/many_logs.hpp"
#include "cli/policy_option.hpp"
#include "cli/print_log.hpp"
#include "cli/verbs.hpp"
#include "cli/version.hpp"
#include "report/json/many_runs.hpp"
#include "report/json/run_data.hpp"

namespace trikal::cli {
namespace {

struct SummaryOptions {
  LogInput input;
  PolicyOption policy;
  std::vector<std::string> logs;
  std::string order = "io";
  std::size_t top = 50;
  bool json = false;
};

Status print(report::Sink& out, log::Reader& reader, const SummaryOptions& options) {
  const auto run = analyze::read_run(reader);
  if (!run) return run.error();
  const std::vector<analyze::Finding> findings = analyze::find_all(*run, options.policy.policy);
  const report::LogFacts facts{options.input.path, reader.file_size(), kVersion};
  if (options.json) report::write_summary_json(out, *run, findings, facts);
  else report::write_summary(out, *run, findings, facts);
  return {};
}

// Several runs are ranked: one line each.
int print_ranked(const SummaryOptions& options) {
  std::vector<report::RankedRun> runs;
  const int code =
      for_each_log(options.input, options.logs, [&](const std::string& path, log::Reader&, const analyze::Run& run) {
        runs.push_back(report::ranked(run, analyze::find_all(run, options.policy.policy), path));
      });
  report::rank(runs, options.order);
  report::DescriptorSink out(STDOUT_FILENO, options.json ? report::Audience::kProgram : report::Audience::kPerson);
  if (options.json) report::write_ranked_json(out, runs);
  else report::write_ranked(out, runs, options.top);
  const Status written = out.flush();
  return written ? code : complain("standard output", written.error());
}

void attach_summary(CommandLine& app, Action& action) {
  constexpr const char *kShow = "What to show", *kMany = "Many logs";
  auto options = std::make_shared<SummaryOptions>();
  app.add_option("LOG", options->logs, "the log, or several to rank; - reads standard input")
      ->required()
      ->type_name("");
  options->input.declare_reading(app);
  app.add_flag("--json", options->json, "as JSON (schema trikal-summary 1; of several logs trikal-runs 1)")
      ->group(kShow);
  app.add_option("--by", options->order,
                 "what to order logs by: time in I/O, its share of the run, ..., the lowest rate, what costs most")
      ->type_name("io|share|bytes|files|rate|finding")
      ->group(kMany)
      ->capture_default_str()
      ->check(one_of({std::begin(report::kRunOrders), std::end(report::kRunOrders)}));
  app.add_option("--top", options->top, "how many logs to show")->type_name("N")->group(kMany)->capture_default_str();
  options->policy.declare(app);
  declare_colour(app);
  action = [options] {
    if (const int code = options->policy.load(); code != kOk) return code;
    if (options->logs.size() > 1) return print_ranked(*options);
    options->input.path = options->logs.front();
    return print_log(
        options->input,
        [&](report::Sink& out, log::Reader& reader, report::Notices&) { return print(out, reader, *options); },
        options->json ? report::Audience::kProgram : report::Audience::kPerson);
  };
}

constexpr Example kSummaryExamples[] = {
    {"trikal summary job.darshan", "who, how long, how much, which files, and what is slow"},
    {"trikal summary --json job.darshan", "the same for scripts"},
    {"trikal summary --by finding job.darshan job.darshan", "several runs, one line each, the worst first"},
};

}  // namespace

const Verb kSummary = {
    "summary",
    "show a run on one screen",
    "Prints what a person wants to know first: how long the run took and how much of that was I/O, bytes and rates by "
    "interface, access sizes and patterns, the files that took longest, and the three findings that cost most. Of "
    "several logs it prints "
    "one line each, ranked.",
    kSummaryExamples,
    attach_summary,
    kReadingSection};

}  // namespace trikal::cli
