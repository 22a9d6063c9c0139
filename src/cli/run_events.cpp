#include "cli/run_events.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "base/utf8.hpp"
#include "cli/complain.hpp"
#include "gather/launch.hpp"

namespace trikal::cli {
namespace {

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

}  // namespace

bool understand_events(RunOptions& options) {
  const char* variable = std::getenv("TRIKAL_EVENTS");
  if (options.events.empty() && variable != nullptr) options.events = variable;
  if (options.events.empty() && !options.events_file.empty()) options.events = "all";
  if (options.events.empty()) return true;
  const std::string asked = options.events, problem = complete_event_spec(options.events);
  if (!problem.empty()) warn("trikal run", fmt::format("--events={}: {}", printable(asked), problem));
  if (problem.empty() && asked.starts_with("off")) options.events.clear();
  return problem.empty();
}

bool RunEvents::begin(const RunOptions& options, const std::string& directory, const std::string& log) {
  if (options.events.empty()) return true;
  name_ = events_name(options, log);
  auto file = EventsFile::create({.path = name_,
                                  .directory = directory,
                                  .command = shown_arguments(options),
                                  .spec = options.events,
                                  .force = options.force});
  if (!file) complain(name_, file.error());
  else file_ = std::move(*file);
  return file.ok();
}

void RunEvents::end(const RunOptions& options) {
  if (file_ == nullptr) return;
  const Status written = file_->finish();
  if (!file_->is_elected()) return;  // another rank's
  for (const auto& [path, error] : file_->refused()) complain(path, error);
  if (!written) return void(complain(name_, written.error()));
  const report::EventTotals& totals = file_->totals();
  if (options.quiet) return;
  fmt::print(stderr, "         events: {} ({} emitted = {} stored + {} dropped)\n", printable(name_),
             totals.stored + totals.dropped(), totals.stored, totals.dropped());
}

}  // namespace trikal::cli
