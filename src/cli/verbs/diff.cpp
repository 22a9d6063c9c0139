// trikal diff: what is different between two logs.

#include <unistd.h>

#include <algorithm>

#include "analyze/compare/compare.hpp"
#include "cli/colour_option.hpp"
#include "cli/compare_runs.hpp"
#include "cli/complain.hpp"
#include "cli/log_input.hpp"
#include "cli/verbs.hpp"
#include "modules/list.hpp"
#include "report/json/differences.hpp"
#include "report/text/differences.hpp"

namespace trikal::cli {
namespace {

using analyze::AlignBy;
using analyze::CompareResult;
using analyze::Side;

struct DiffOptions {
  LogInput input;
  std::vector<std::string> logs;
  RunComparison runs;
  bool whole_runs = false;
  std::string a, b;  // of logs, where there are two
  std::string by;  // empty: of a prediction and a run by name, else by id
  std::vector<std::string> modules;
  analyze::CompareOptions compare;
  std::optional<analyze::PredictionScope> prediction;
  report::DifferenceLayout layout;
  std::size_t files_shown = 0;  // --max; 0: not given
  bool counters = false, all = false, json = false, quiet = false;

  // Whether anything was asked for that only records have.
  [[nodiscard]] bool about_records() const {
    return counters || all || json || quiet || files_shown > 0 || !modules.empty() || compare.ignore_times ||
           compare.ignore_job || compare.segments || compare.tolerance.relative > 0 || compare.tolerance.absolute > 0;
  }
};

// Counts, and says nothing.
class NoDifferences final : public analyze::DifferenceSink {
 public:
  void job_change(const analyze::Change&) override {}
  void begin_module(const analyze::ModulePair&) override {}
  void begin_record(const analyze::RecordPair&) override {}
  void change(const analyze::Change&) override {}
  void end_record() override {}
  void only(Side, const analyze::RecordPair&, Bytes) override {}
  void end_module(const analyze::CompareCounts&) override {}
  void skipped(const analyze::ModulePair&, ModuleId) override {}
};

// Which logs are A and which are B.
bool take_sides(DiffOptions& options) {
  RunComparison& runs = options.runs;
  options.whole_runs |= !runs.b.empty() || !runs.page.empty();
  runs.a = options.logs;
  if (runs.b.empty() && runs.a.size() == 2) runs.b = {runs.a.back()}, runs.a.pop_back();
  if (runs.b.empty()) return warn("diff", "two logs, or several with --against and others"), false;
  std::ptrdiff_t streams = 0;
  for (const auto* side : {&runs.a, &runs.b}) streams += std::ranges::count(*side, "-");
  if (streams > 1) return warn("-", "only one of the logs can be standard input"), false;
  options.a = runs.a.front(), options.b = runs.b.front();
  runs.by_name = options.by == "name", runs.json = options.json, runs.quiet = options.quiet;
  return true;
}

bool settle(DiffOptions& options) {
  options.compare.by = options.by == "name" ? AlignBy::kName : AlignBy::kId;
  for (const std::string& name : options.modules) {
    const ModuleFormat* module = find_module(name);
    if (module == nullptr) return warn("--module", "no module is called " + name), false;
    options.compare.modules.push_back(module->schema->id);
  }
  if (options.files_shown > 0) options.layout.files = options.files_shown;
  if (options.all) options.layout.files = options.layout.changes_a_file = analyze::Ranking::kNoBound;
  (void)parse_size(options.input.limit, options.compare.memory);
  options.layout.memory = options.compare.memory;
  return true;
}

Status write_text(const DiffOptions& options, log::Reader& a, log::Reader& b, CompareResult& result,
                  TerminalProgress& progress) {
  report::DescriptorSink out(STDOUT_FILENO, report::Audience::kPerson);
  report::TextDifferences text({options.a, &a}, {options.b, &b}, options.compare, options.layout);
  result = compare(a, b, options.compare, text);
  progress.end();
  if (!result.status) return {};
  const Status written = text.write(out, result);
  return written ? out.flush() : written;
}

Status write_json(const DiffOptions& options, log::Reader& a, log::Reader& b, CompareResult& result) {
  report::DescriptorSink out(STDOUT_FILENO);
  report::JsonDifferences json(out, {options.a, &a}, {options.b, &b}, options.compare);
  result = compare(a, b, options.compare, json);
  if (!result.status) return {};
  json.finish(result);
  return out.flush();
}

// What a prediction does not speak of is no difference. Another run may be in another folder: names decide.
void look_for_prediction(DiffOptions& options, log::Reader& a, log::Reader& b) {
  options.prediction = analyze::prediction_among(a, b);
  if (!options.prediction) return;
  if (options.by.empty()) options.compare.by = AlignBy::kName;
  if (!options.all) options.compare.prediction = &*options.prediction;
}

int run_diff(DiffOptions& options) {
  if (!take_sides(options) || !settle(options)) return kUsage;
  if (options.whole_runs) return compare_runs(options.runs, options.input);
  int code = kOk;
  // Text comes when all was compared, JSON as it is found.
  TerminalProgress progress(!options.input.no_progress && !options.quiet,
                            options.json ? TerminalProgress::Output::kStandard : TerminalProgress::Output::kNone);
  auto a = options.input.open(options.a, code, progress);
  if (!a) return code;
  auto b = options.input.open(options.b, code, progress);
  if (!b) return code;
  look_for_prediction(options, *a, *b);
  if (!options.about_records() && !options.prediction) {
    return compare_two_runs(options.runs, options.input, std::move(a), std::move(b),
                            [&](log::Reader& one, log::Reader& other) {
                              NoDifferences none;
                              auto counters = compare(one, other, options.compare, none);
                              progress.end();
                              return counters;
                            });
  }
  CompareResult result;
  Status written;
  if (options.quiet) {
    NoDifferences none;
    result = compare(*a, *b, options.compare, none);
  } else {
    written = options.json ? write_json(options, *a, *b, result) : write_text(options, *a, *b, result, progress);
  }
  if (!result.status) return complain(result.side == Side::kA ? options.a : options.b, result.status.error());
  if (!written) return complain("standard output", written.error());
  const int damaged = std::max(report_damage(options.a, a->damage()), report_damage(options.b, b->damage()));
  if (damaged != kOk) return damaged;
  return result.differs() ? kDiffers : kOk;
}

constexpr const char *kSame = "What counts as the same", *kCompare = "What to compare", *kShow = "What to show",
                     *kRuns = "Whole runs";

void declare_sameness(CommandLine& app, DiffOptions& options) {
  app.add_option("--by", options.by,
                 "what makes files the same: their record id, or the end of their path (as of a prediction and a run)")
      ->type_name("id|name")
      ->check(one_of({"id", "name"}))
      ->default_str("id")
      ->group(kSame);
  app.add_option("--rel", options.compare.tolerance.relative,
                 "numbers this close are the same, as a part of the larger one")
      ->type_name("PART")
      ->check(not_negative())
      ->group(kSame);
  app.add_option("--abs", options.compare.tolerance.absolute, "numbers this close are the same")
      ->type_name("DISTANCE")
      ->check(not_negative())
      ->group(kSame);
}

void declare_extent(CommandLine& app, DiffOptions& options) {
  app.add_flag("--ignore-times", options.compare.ignore_times,
               "leave out times, and what times decide (the fastest rank ...)")
      ->group(kCompare);
  app.add_flag("--ignore-job", options.compare.ignore_job,
               "leave out the job: user, command, processes, metadata, mounts")
      ->group(kCompare);
  app.add_option("--module", options.modules, "compare only this module; may be given again")
      ->type_name("MODULE")
      ->allow_extra_args(false)
      ->group(kCompare);
  app.add_flag("--segments", options.compare.segments, "compare traces segment by segment, not only their sums")
      ->group(kCompare);
}

void declare_runs(CommandLine& app, DiffOptions& options) {
  RunComparison& runs = options.runs;
  app.add_flag("--runs", options.whole_runs,
               "compare whole runs: totals, findings, phases, files (the default; with --json the schema of runs)")
      ->group(kRuns);
  app.add_option("--against", runs.b, "the runs of B; with several of A and of B, chance is told from change")
      ->type_name("LOG...")
      ->group(kRuns);
  app.add_option("--html", runs.page, "a page of it; - is standard output")->type_name("PATH")->group(kRuns);
  app.add_flag("--force,-f", runs.force, "replace the page if it is there")->group(kRuns);
  app.add_option("--alpha", runs.alpha, "significance level: the largest probability of chance for a sure difference")
      ->type_name("PART")
      ->check(between(0.0, 1.0))
      ->capture_default_str()
      ->group(kRuns);
  runs.policy.declare(app);
}

void attach_diff(CommandLine& app, Action& action) {
  auto options = std::make_shared<DiffOptions>();
  app.add_option("LOG", options->logs, "A and B; or all of A, with --against; - reads standard input")
      ->required()
      ->type_name("")
      ->expected(1, -1);
  declare_runs(app, *options);
  declare_sameness(app, *options);
  declare_extent(app, *options);
  app.add_flag("--counters", options->counters,
               "show which counters of which files differ; implied by all options below and by what to compare")
      ->group(kShow);
  app.add_option("--max", options->files_shown, "files to show")
      ->type_name("N")
      ->default_str(std::to_string(options->layout.files))
      ->group(kShow);
  app.add_flag("--all", options->all,
               "show every file and every counter that differs, also what a prediction does not say")
      ->group(kShow);
  app.add_flag("--json", options->json,
               "every difference as JSON (schema trikal-diff 1; of whole runs trikal-comparison 1)")
      ->group(kShow);
  app.add_flag("--quiet,-q", options->quiet, "print nothing; the exit code tells")->group(kShow);
  options->input.declare_reading(app);
  declare_colour(app);
  action = [options] { return run_diff(*options); };
}

constexpr Example kDiffExamples[] = {
    {"trikal diff before.darshan after.darshan", "what changed: time, bytes, findings, phases, files"},
    {"trikal diff --counters before.darshan after.darshan", "which counters changed, the largest change first"},
    {"trikal diff --ignore-times --ignore-job a.darshan b.darshan", "did two runs do the same I/O?"},
    {"trikal diff --by name --rel 0.05 run1.darshan run2.darshan", "runs in different directories, 5 % apart at most"},
    {"trikal diff --html diff.html before.darshan after.darshan", "a page: by finding, totals, file, phase"},
    {"trikal diff a.darshan run1.darshan --against b.darshan run2.darshan",
     "several runs of each: which changes are sure?"},
    {"trikal diff predicted.darshan measured.darshan", "how good was trikal predict --log?"},
    {"trikal diff --json a.darshan b.darshan > differences.json", "every difference, for programs"},
};

}  // namespace

const Verb kDiff = {
    "diff",
    "show what is different between two logs",
    "Compares two runs: how long they took, how much they read and wrote, their findings, phases and files, and says "
    "whether all counters are the same. With --counters, or any option that is about records, each record is compared "
    "with its counterpart of the same module, file and rank, counter by counter. Logs of different versions can be "
    "compared: records are brought to their newest form first, and counters that one log's record version does not "
    "have are left out. A change is measured as a part of the larger value. Exits with 0 if the logs are the same, 1 "
    "if "
    "they differ. Between a prediction (trikal predict --log) and a run, only what a prediction covers is compared, "
    "counter "
    "by counter and with all ranks of a file together: no times, nothing of the machine, nothing that libraries do by "
    "themselves. What was left out is named; --all compares it, too.",
    kDiffExamples,
    attach_diff,
    kReadingSection,
    kComparesLogs};

}  // namespace trikal::cli
