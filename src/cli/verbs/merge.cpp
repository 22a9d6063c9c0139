// trikal merge: several logs of one job into one.

#include "log/merge.hpp"

#include <algorithm>

#include "cli/complain.hpp"
#include "cli/log_input.hpp"
#include "cli/verbs.hpp"
#include "log/write/tool_writer.hpp"

namespace trikal::cli {
namespace {

struct MergeOptions {
  LogInput input;  // its --salvage and --limit; the logs are below
  std::vector<std::string> logs;
  std::string output;
  bool force = false;
  log::MergeOptions merge;
};

// Opened anew for each pass, so that thousands of logs need one descriptor.
log::MergeInput input_of(const std::string& path, const log::ReadOptions& read, TerminalProgress& progress) {
  return {path, [path, read, &progress]() -> Result<std::unique_ptr<log::Reader>> {
            auto source = log::open_file(path);
            if (!source) return source.error();
            return log::Reader::open(progress.watch(std::move(*source), path), read);
          }};
}

int tell(const log::MergeReport& report, const MergeOptions& options) {
  int code = kOk;
  for (const std::string& warning : report.warnings) warn(options.output, warning);
  for (const auto& [input, damage] : report.damage) code = std::max(code, report_damage(input, {damage}));
  return code;
}

int run_merge(const MergeOptions& options) {
  log::ReadOptions read{.salvage = options.input.salvage};
  if (!parse_size(options.input.limit, read.limits.memory)) {
    return complain("--limit", {.code = ErrorCode::kUsage, .what = "not a size"});
  }
  if (std::ranges::find(options.logs, "-") != options.logs.end()) {
    return complain("-", {.code = ErrorCode::kUsage, .what = "each log is read several times; give files"});
  }
  TerminalProgress progress(!options.input.no_progress, TerminalProgress::Output::kNone);
  std::vector<log::MergeInput> inputs;
  inputs.reserve(options.logs.size());
  for (const std::string& path : options.logs) inputs.push_back(input_of(path, read, progress));
  auto tool = log::ToolWriter::create(options.output, {.replace = options.force});
  if (!tool) return complain(options.output, tool.error());
  log::MergeReport report;
  const Status done = log::merge_logs(inputs, (*tool)->writer(), options.merge, report);
  const int code = tell(report, options);
  if (done) return code;
  const bool reading = (*tool)->writer().health() && !report.input.empty();
  if (!report.detail.empty()) warn(report.input, report.detail);
  return complain(reading ? report.input : options.output, done.error());
}

constexpr const char *kMergeOutput = "How to write", *kJoin = "How to join";

void attach_merge(CommandLine& app, Action& action) {
  auto options = std::make_shared<MergeOptions>();
  app.add_option("LOG", options->logs, "the logs of one job")->required()->type_name("");
  app.add_option("--output,-o", options->output, "the merged log; must not exist")
      ->required()
      ->type_name("OUT")
      ->group(kMergeOutput);
  app.add_flag("--force", options->force, "replace OUT if it exists")->group(kMergeOutput);
  auto redux =
      app.add_flag("--shared-redux", options->merge.fold_shared, "make one record of a file that all ranks used")
          ->group(kJoin);
  app.add_flag("--reduce-some", options->merge.fold_several, "with it, also of a file that only some ranks used")
      ->needs(redux)
      ->group(kJoin);
  app.add_option("--job-end-time", options->merge.job_end_time, "when the job ended, instead of the latest end")
      ->type_name("SECONDS")
      ->group(kJoin);
  app.add_flag("--renumber", options->merge.renumber, "number the logs' ranks in the order of their start")
      ->group(kJoin);
  options->input.declare_reading(app);
  action = [options] { return run_merge(*options); };
}

constexpr Example kMergeExamples[] = {
    {"trikal merge -o job.darshan rank-*.darshan", "logs of the ranks of one job"},
    {"trikal merge -o job.darshan --shared-redux rank-*.darshan", "files used by all ranks become one record each"},
    {"trikal merge -o tree.darshan --renumber process-*.darshan", "processes that all call themselves rank 0"},
};

}  // namespace

const Verb kMerge = {
    "merge",
    "join several logs of one job into one",
    "Job, command and mounts are those of the first log, with the earliest start and the latest end of all. Each log "
    "tells time from its own start: timestamps, traces and heatmaps of a log that began later are moved to the "
    "earliest "
    "start, and all heatmaps get bins of one width. Two logs that give one record different names are refused. A "
    "record "
    "counts as shared if every rank has it, or every rank but rank 0 (such records are listed in the trailer). Modules "
    "this tool does not know are left out.",
    kMergeExamples,
    attach_merge,
    kWritingSection};

}  // namespace trikal::cli
