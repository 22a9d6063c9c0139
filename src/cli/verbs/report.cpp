// trikal report: a run as one page for a browser.

#include "cli/complain.hpp"
#include "cli/log_input.hpp"
#include "cli/policy_option.hpp"
#include "cli/verbs.hpp"
#include "cli/write_report.hpp"

namespace trikal::cli {
namespace {

struct ReportOptions {
  LogInput input;
  PolicyOption policy;
  std::string output;
  bool force = false;
};

int run_report(ReportOptions& options) {
  int code = options.policy.load();
  if (code != kOk) return code;
  const bool prints = options.output == "-";
  TerminalProgress progress(!options.input.no_progress,
                            prints ? TerminalProgress::Output::kStandard : TerminalProgress::Output::kNone);
  const auto reader = options.input.open(code, progress);
  if (!reader) return code;
  const auto replace = options.force ? report::Replace::kYes : report::Replace::kNo;
  const report::ExportStatus status =
      write_report(*reader, options.input.path, options.output, replace, options.policy.policy);
  if (!status.read) return complain(options.input.path, status.read.error());
  if (!status.written) return complain(prints ? "standard output" : options.output, status.written.error());
  return report_damage(options.input.path, reader->damage());
}

constexpr const char* kReportOutput = "What comes out";

void attach_report(CommandLine& app, Action& action) {
  auto options = std::make_shared<ReportOptions>();
  options->input.declare(app);
  app.add_option("-o,--output", options->output, "the page; - is standard output")
      ->required()
      ->type_name("PATH")
      ->group(kReportOutput);
  app.add_flag("-f,--force", options->force, "replace the page if it is there")->group(kReportOutput);
  options->policy.declare(app);
  action = [options] { return run_report(*options); };
}

constexpr Example kReportExamples[] = {
    {"trikal report job.darshan -o job.html", "one file that any browser opens, without a network"},
    {"trikal report job.darshan -o - > job.html", "the same to standard output"},
    {"trikal report --force job.darshan -o job.html", "the same, anew"},
};

}  // namespace

const Verb kReport = {
    "report",
    "write a run as a page for a browser",
    "Writes one HTML file that holds everything it needs: findings first, then when bytes moved, access sizes, a table "
    "of files to sort and search, ranks, processes and file systems. Nothing is loaded from anywhere.",
    kReportExamples,
    attach_report,
    kReadingSection};

}  // namespace trikal::cli
