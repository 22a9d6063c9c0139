#include "cli/run_events.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "base/utf8.hpp"
#include "cli/complain.hpp"
#include "cli/export_events.hpp"
#include "gather/launch.hpp"
#include "gather/rank_group.hpp"
#include "stream/wire/event_spec.hpp"

namespace trikal::cli {
namespace {

constexpr const char* kNowhere = "/dev/null";  // events that are published and not kept

// Beside the log, called like it.
std::string events_name(const RunOptions& options, const std::string& log) {
  if (!options.events_file.empty()) return options.events_file;
  const std::filesystem::path name(log);
  return (name.parent_path() / (name.stem().string() + ".events.jsonl")).string();
}

// As logs have them: without secrets.
std::vector<std::string> shown_arguments(const RunOptions& options) {
  std::vector<std::string> shown;
  std::stringstream text(gather::argument_text(options.command));
  for (std::string argument; std::getline(text, argument, '\0');) shown.push_back(argument);
  return shown;
}

// Who has set the connector's own switch wants its messages where LDMS would have got them.
void understand_publish(RunOptions& options) {
  if (options.events_to != RunOptions::EventsTo::kFile) return;
  if (options.publish.empty() && std::getenv("DARSHAN_LDMS_ENABLE") != nullptr && !options.events.starts_with("off"))
    options.publish = kLdmsCommand;
  if (options.publish == "off") options.publish.clear();
  if (options.publish.empty()) return;
  if (options.events.empty()) options.events = "all", options.events_file = kNowhere;
  stream::EventSpec spec;
  const bool understood = stream::parse_event_spec(options.events, spec) == nullptr;
  if (understood && spec.is_on() && !spec.details) options.events += ",details";
}

}  // namespace

void declare_events(CommandLine& app, RunOptions& options) {
  constexpr const char* kFilters =
      "with its time; --events=1/N: one call in N. Filters follow after commas: interface=, operation=, file=, from=, "
      "until=; memory= and details are described in docs/formats/events.md";
  const bool to_file = options.events_to == RunOptions::EventsTo::kFile;
  app.add_flag(
         "--events{all}", options.events,
         fmt::format("{} {}", to_file ? "write every call as an event" : "store every call as an event", kFilters))
      ->group(RunOptions::kFiles);
  if (!to_file) return;
  app.add_option("--events-file", options.events_file,
                 "file for the events (default: the name of the log with .events.jsonl)")
      ->type_name("PATH")
      ->group(RunOptions::kOutput);
  app.add_option(
         "--publish", options.publish,
         "send every event, while the program runs, as a message of the LDMS Darshan connector: to the standard input "
         "of "
         "this shell command, one message per line; -: to standard output; file:PATH: to a file; off: to nobody, "
         "whatever DARSHAN_LDMS_ENABLE says")
      ->type_name("TARGET")
      ->group(RunOptions::kOutput);
  declare_dialect(app, options.dialect)->group(RunOptions::kOutput);
}

bool understand_events(RunOptions& options) {
  const char* variable = std::getenv("TRIKAL_EVENTS");
  if (options.events.empty() && variable != nullptr) options.events = variable;
  if (options.events.empty() && !options.events_file.empty()) options.events = "all";
  understand_publish(options);
  if (!options.dialect.empty() && options.publish.empty())
    return warn("trikal run", "--dialect is for messages; --publish is missing"), false;
  if (!options.publish.empty() && options.events.starts_with("off"))
    return warn("trikal run", "--publish needs events, and these are off"), false;
  if (options.events.empty()) return true;
  const std::string asked = options.events, problem = complete_event_spec(options.events);
  if (!problem.empty()) warn("trikal run", fmt::format("--events={}: {}", printable(asked), problem));
  if (problem.empty() && asked.starts_with("off")) options.events.clear();
  return problem.empty();
}

bool RunEvents::begin_publishing(const RunOptions& options, const std::string& directory) {
  if (options.publish.empty()) return true;
  auto publisher = Publisher::create(
      {.target = {.target = options.publish, .force = options.force, .append = gather::is_launched_rank()},
       .directory = directory,
       .dialect = dialect_named(options.dialect),
       .verbose = std::getenv("DARSHAN_LDMS_VERBOSE") != nullptr});
  if (!publisher) complain(target_name(options.publish), publisher.error());
  else publisher_ = std::move(*publisher);
  return publisher.ok();
}

bool RunEvents::begin(const RunOptions& options, const std::string& directory, const std::string& log) {
  if (options.events.empty()) return true;
  if (!begin_publishing(options, directory)) return false;
  name_ = events_name(options, log);
  auto file = EventsFile::create({.path = name_,
                                  .directory = directory,
                                  .command = shown_arguments(options),
                                  .spec = options.events,
                                  .force = options.force,
                                  .publisher = publisher_.get()});
  if (!file) complain(name_, file.error());
  else file_ = std::move(*file);
  return file.ok();
}

void RunEvents::end(const RunOptions& options) {
  if (file_ == nullptr) return;
  const Status written = file_->finish();
  end_publishing(options);
  if (!file_->is_elected()) return;  // another rank's
  for (const auto& [path, error] : file_->refused()) complain(path, error);
  if (!written) return void(complain(name_, written.error()));
  const report::EventTotals& totals = file_->totals();
  if (options.quiet) return;
  fmt::print(stderr, "         events: {} ({} emitted = {} stored + {} dropped)\n",
             name_ == kNowhere ? "not kept" : printable(name_), totals.stored + totals.dropped(), totals.stored,
             totals.dropped());
}

// Dropped messages and a command that failed are told before anything about the file.
void RunEvents::end_publishing(const RunOptions& options) {
  if (publisher_ == nullptr) return;
  const Publisher::Outcome outcome = publisher_->finish();
  const bool is_this = file_->is_elected() || outcome.written + outcome.dropped > 0;
  if (options.quiet || !is_this) return;
  fmt::print(stderr, "         published: {} messages = {} written + {} dropped{}{}\n",
             outcome.written + outcome.dropped, outcome.written, outcome.dropped, outcome.ending.empty() ? "" : "; ",
             outcome.ending);
}

}  // namespace trikal::cli
