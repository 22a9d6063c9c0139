#include "cli/run_program.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <optional>

#include "base/utf8.hpp"
#include "cli/colour_option.hpp"
#include "cli/complain.hpp"
#include "cli/darshan_settings.hpp"
#include "cli/log_input.hpp"
#include "cli/run_events.hpp"
#include "cli/site_names.hpp"
#include "cli/write_report.hpp"
#include "gather/job_log.hpp"
#include "gather/launch.hpp"
#include "gather/programs.hpp"
#include "gather/rank_group.hpp"
#include "gather/remote_maps.hpp"
#include "gather/run_directory.hpp"
#include "gather/run_maps.hpp"
#include "gather/runtime_library.hpp"
#include "report/text/run_summary.hpp"
#include "stream/wire/trace_spec.hpp"

namespace trikal::cli {

// program-20261115-031205.darshan, here.
std::string default_log_name(const std::string& program) {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  char stamp[32];
  std::strftime(stamp, sizeof stamp, "%Y%m%d-%H%M%S", &local);
  return std::filesystem::path(program).filename().string() + "-" + stamp + ".darshan";
}

namespace {

// Ends as the program ended, signal and all.
int end_as(int status) {
  if (WIFSIGNALED(status)) {
    gather::HeldSignals::end_by(WTERMSIG(status));
    return 128 + WTERMSIG(status);
  }
  return WEXITSTATUS(status);
}

void show(const RunOptions& options, const gather::JobLogResult& result) {
  auto source = log::open_file(result.path);
  if (!source) return;
  auto reader = log::Reader::open(std::move(*source));
  if (!reader) return;
  report::DescriptorSink out(STDERR_FILENO, report::Audience::kPerson);
  (void)report::write_run_summary(out, **reader, {result.path, result.processes, result.with_io, result.still_running},
                                  options.policy.policy);
}

// Never the program's business: a page that cannot be written costs a line, not the exit status.
void write_page(const RunOptions& options, const std::string& path) {
  auto source = log::open_file(path);
  auto reader = source ? log::Reader::open(std::move(*source)) : Result<std::unique_ptr<log::Reader>>(source.error());
  report::ExportStatus status{.read = reader ? Status() : Status(reader.error())};
  if (reader) status = write_report(**reader, path, options.report, report::Replace::kYes, options.policy.policy);
  if (!status.read) complain(path, status.read.error());
  else if (!status.written) complain(options.report, status.written.error());
  else if (!options.quiet) fmt::print(stderr, "         page: {}\n", printable(options.report));
}

gather::Reduce reduction(const RunOptions& options) {
  if (options.no_reduce) return gather::Reduce::kNothing;
  return options.reduce_some ? gather::Reduce::kSome : gather::Reduce::kShared;
}

// A log that came while the program ran is not replaced unasked, nor are those of other ranks.
gather::Taken taken_name(const RunOptions& options) {
  return options.force && !options.log.empty() ? gather::Taken::kReplace : gather::Taken::kNumber;
}

// While nothing has been run for it. A rank of many is not stopped because the name is taken: it gets a number.
Status check_log_name(const RunOptions& options) {
  if (options.log.empty()) return {};
  const bool refuses = !options.force && !gather::is_launched_rank();
  return gather::can_become_log(options.log, refuses ? gather::Taken::kRefuse : taken_name(options));
}

// The maps become the log; on failure they stay where `trikal recover` finds them.
bool gather_log(const RunOptions& options, const std::string& directory, const gather::RemoteMaps& remote,
                const std::string& path, Onlooker* onlooker) {
  const double ended = std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
  gather::RunMaps run = gather::load_run(directory);
  remote.load(run);
  for (const auto& [file, error] : run.damaged) complain(file, error);
  std::vector<gather::MachineRow> machine;
  if (onlooker != nullptr) onlooker->end(run.maps), machine = onlooker->machine();
  if (const std::size_t missing = remote.missing(); missing > 0)
    warn("trikal run", fmt::format("what {} elsewhere did is not in the log: killed, or still running; "
                                   "trikal recover makes a log of it there",
                                   missing == 1 ? "1 process" : fmt::format("{} processes", missing)));
  NamedSites sites;
  const auto results = gather::write_job_logs(run.maps, {.path = path,
                                                         .arguments = gather::argument_text(options.command),
                                                         .taken = taken_name(options),
                                                         .reduce = reduction(options),
                                                         .lost = run.lost,
                                                         .names = sites.names(),
                                                         .ended = ended,
                                                         .machine = machine});
  if (!results) {
    complain(path, results.error());
    warn(directory, fmt::format("what was observed is kept there; this makes the log: trikal recover {}", directory));
    return false;
  }
  for (const gather::JobLogResult& result : *results) {
    if (!options.quiet) show(options, result);
  }
  const std::string& first = results->front().path;
  if (!options.log.empty() && first != path && !options.quiet) warn(path, "was there already; the log is " + first);
  if (!options.report.empty()) write_page(options, first);
  if (!options.quiet) {
    for (const std::string& sentence : idle_settings()) warn("trikal run", sentence);
    // Its children say so themselves; nobody does for the command.
    const gather::ProgramReport program = gather::look_for_program(options.command.front());
    if (program.why != Unseen::kNothing) warn(program.path, "was not seen: " + std::string(unseen_text(program.why)));
  }
  return true;
}

gather::LaunchOptions launch_options(const RunOptions& options, const std::string& runtime,
                                     const gather::RunDirectory& directory, const gather::RemoteMaps& remote) {
  gather::LaunchOptions launch{
      options.command, runtime, directory.path(), directory.overflow(), {"TRIKAL_RUN_REMOTE=" + remote.path()}};
  if (!options.exclude.empty()) launch.settings.push_back("TRIKAL_EXCLUDE=" + options.exclude);
  if (!options.include.empty()) launch.settings.push_back("TRIKAL_INCLUDE=" + options.include);
  if (!options.modules.empty()) launch.settings.push_back("TRIKAL_MODULES=" + options.modules);
  if (options.call_sites) launch.settings.emplace_back("TRIKAL_CALL_SITES=1");
  if (!options.trace.empty()) launch.settings.push_back("TRIKAL_TRACE=" + options.trace);
  if (options.time_all) launch.settings.emplace_back("TRIKAL_TIME_ALL=1");
  // Else a variable that is set would fill rings that nobody reads.
  if (!options.events.empty() || std::getenv("TRIKAL_EVENTS") != nullptr)
    launch.settings.push_back("TRIKAL_EVENTS=" + (options.events.empty() ? "off" : options.events));
  return launch;
}

// Before the program runs: inside it nobody could be told.
bool understand_trace(const RunOptions& options) {
  const char* variable = std::getenv("TRIKAL_TRACE");
  const std::string text = !options.trace.empty() || variable == nullptr ? options.trace : variable;
  stream::TraceSpec spec;
  const char* problem = text.empty() ? nullptr : stream::parse_trace_spec(text, spec);
  if (problem != nullptr) warn("trikal run", fmt::format("--trace={}: {}", printable(text), problem));
  return problem == nullptr;
}

// The ranks of a node write one log. Where there are more nodes, each has its own, told apart by the node's name.
std::string log_name(const RunOptions& options, const std::optional<gather::RankGroup>& ranks) {
  std::string path = !options.log.empty()           ? options.log
                     : !options.default_log.empty() ? options.default_log
                                                    : default_log_name(options.command.front());
  if (!ranks || ranks->is_whole_job()) return path;
  const std::filesystem::path name(path);
  return (name.parent_path() / (name.stem().string() + "." + gather::RankGroup::node() + name.extension().string()))
      .string();
}

}  // namespace

int run_program(RunOptions& options, Onlooker* onlooker) {
  // A broken policy of the site costs a line; only one that was asked for keeps the program from running.
  if (const int code = options.policy.load(); code != kOk && options.policy.is_explicit()) return code;
  if (!understand_events(options) || !understand_trace(options)) return kUsage;
  const std::string runtime = gather::find_runtime();
  if (runtime.empty()) return warn("trikal run", "libtrikal.so is not beside this program"), kSystem;
  if (const Status named = check_log_name(options); !named) return complain(options.log, named.error());
  const gather::HeldSignals signals;
  std::optional<gather::RankGroup> ranks = gather::join_rank_group();
  if (!ranks && gather::is_launched_rank()) options.force = false;  // it may be another rank's by then
  const gather::RunDirectory own = ranks ? gather::RunDirectory() : gather::RunDirectory::make();
  const gather::RunDirectory& directory = ranks ? ranks->directory() : own;
  if (!directory) return warn("trikal run", "no directory in memory can be made"), kSystem;
  directory.set_command(gather::argument_text(options.command));
  // Events are named when the program begins, the log when it has ended; both alike where there are both.
  const std::string named = options.events.empty() ? std::string() : log_name(options, ranks);
  RunEvents events;
  const bool to_file = onlooker == nullptr || !onlooker->takes_events();
  if (to_file && !events.begin(options, directory.path(), named)) return directory.remove(), kSystem;
  gather::Collector collector(directory);
  const gather::RemoteMaps remote(options.log, directory.path());
  if (onlooker != nullptr) onlooker->begin(directory.path());
  const auto status = gather::run_command(launch_options(options, runtime, directory, remote), signals, &collector);
  collector.finish();
  if (status || ranks) events.end(options);
  else events.discard();
  const bool writes = !ranks || ranks->leave();
  const std::string log = named.empty() || ranks ? log_name(options, ranks) : named;
  if (!status) {
    // Other ranks may have found what they were to run.
    const bool lost = writes && ranks && !gather::load_run(directory.path()).maps.empty() &&
                      !gather_log(options, directory.path(), remote, log, onlooker);
    if (writes && !lost) directory.remove(), remote.remove();
    complain(options.command.front(), status.error());
    return status.error().sys_errno == ENOENT ? 127 : 126;
  }
  if (writes && gather_log(options, directory.path(), remote, log, onlooker)) directory.remove(), remote.remove();
  return end_as(*status);
}

void RunOptions::declare(CommandLine& app, EventsTo to) {
  events_to = to;
  app.add_option("-o,--log", log, "name of the log (default: PROGRAM-DATE-TIME.darshan in this directory)")
      ->type_name("PATH")
      ->group(kOutput);
  app.add_flag("--force", force, "replace the file that --log names if it exists")->group(kOutput);
  app.add_option("--report", report, "also write the report page for a browser, as trikal report does")
      ->type_name("PATH")
      ->group(kOutput);
  app.add_option(
         "--exclude", exclude,
         "do not observe files under these path prefixes, separated by commas; the word none: observe all files")
      ->type_name("LIST")
      ->group(kFiles);
  app.add_option("--include", include,
                 "observe files under these path prefixes although --exclude or the default excludes them")
      ->type_name("LIST")
      ->group(kFiles);
  app.add_option("--modules", modules,
                 "observe only these interfaces, separated by commas: posix, stdio, mpi-io, h5f, h5d, pnetcdf_file, "
                 "pnetcdf_var, heatmap")
      ->type_name("LIST")
      ->group(kFiles);
  app.add_flag("--call-sites", call_sites, "record the call site (source file and line) of every call")->group(kFiles);
  app.add_flag(
         "--trace{all}", trace,
         "keep every call with its file, offset, length, times and thread; where memory ends, the trace is thinned and "
         "says so. Rules follow after all and commas: file=, rank=, from=, until=, small=, unaligned=, as in "
         "docs/traces.md")
      ->group(kFiles);
  app.add_flag("--time-all", time_all,
               "time every call; by default, calls that stay in a stream's buffer are timed by sampling")
      ->group(kFiles);
  declare_events(app, *this);
  auto keep_all =
      app.add_flag("--no-reduce", no_reduce, "MPI jobs: keep a record per rank for files that all ranks share");
  keep_all->group(kOutput);
  app.add_flag("--reduce-some", reduce_some,
               "MPI jobs: also reduce files that only some of the ranks used to one record")
      ->excludes(keep_all)
      ->group(kOutput);
  app.add_flag("--quiet", quiet, "print no summary and no messages of trikal")->group(kOutput);
  policy.declare(app);
  declare_colour(app);
}

}  // namespace trikal::cli
