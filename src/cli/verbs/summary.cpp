// trikal summary: a run on one screen.

#include "report/text/summary.hpp"
#include "cli/colour_option.hpp"
#include "cli/policy_option.hpp"
#include "cli/print_log.hpp"
#include "cli/verbs.hpp"
#include "cli/version.hpp"
#include "report/json/run_data.hpp"

namespace trikal::cli {
namespace {

struct SummaryOptions {
  LogInput input;
  PolicyOption policy;
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

void attach_summary(CommandLine& app, Action& action) {
  auto options = std::make_shared<SummaryOptions>();
  options->input.declare(app);
  app.add_flag("--json", options->json, "as JSON (schema trikal-summary 1)")->group("What to show");
  options->policy.declare(app);
  declare_colour(app);
  action = [options] {
    if (const int code = options->policy.load(); code != kOk) return code;
    return print_log(
        options->input,
        [&](report::Sink& out, log::Reader& reader, report::Notices&) { return print(out, reader, *options); },
        options->json ? report::Audience::kProgram : report::Audience::kPerson);
  };
}

constexpr Example kSummaryExamples[] = {
    {"trikal summary job.darshan", "who, how long, how much, which files, and what is slow"},
    {"trikal summary --json job.darshan", "the same for scripts"},
};

}  // namespace

const Verb kSummary = {
    "summary",
    "show a run on one screen",
    "Prints what a person wants to know first: how long the run took and how much of that was I/O, bytes and rates by "
    "interface, access sizes and patterns, the files that took longest, and the three findings that cost most.",
    kSummaryExamples,
    attach_summary,
    kReadingSection};

}  // namespace trikal::cli
