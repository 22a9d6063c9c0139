#include "cli/history_option.hpp"

#include <algorithm>
#include <filesystem>

#include "analyze/dataset/history.hpp"
#include "cli/complain.hpp"
#include "cli/verb.hpp"

namespace trikal::cli {
namespace {

namespace fs = std::filesystem;

// Sites keep logs in folders by year, month and day.
void list_logs(const std::string& path, std::vector<std::string>& logs) {
  std::error_code error;
  if (!fs::is_directory(path, error)) return logs.push_back(path);
  const auto options = fs::directory_options::skip_permission_denied;
  for (fs::recursive_directory_iterator at(path, options, error), end; !error && at != end; at.increment(error)) {
    if (at->path().extension() == ".darshan" && at->is_regular_file(error)) logs.push_back(at->path().string());
  }
  if (error) warn(path, error.message());
}

}  // namespace

void HistoryOption::declare(CommandLine& app) {
  app.add_option("--history", paths,
                 "earlier logs, or directories with them: is this run slower than the same program used to be?")
      ->type_name("PATH...")
      ->group("What to show");
}

void HistoryOption::add_to(analyze::Run& run, const LogInput& input) const {
  std::vector<std::string> logs;
  for (const std::string& path : paths) list_logs(path, logs);
  std::ranges::sort(logs);
  for (const std::string& log : logs) {
    int code = kOk;
    TerminalProgress progress(!input.no_progress, TerminalProgress::Output::kNone);
    const auto reader = input.open(log, code, progress);
    if (!reader || !analyze::is_earlier_run(reader->job(), *run.job)) continue;
    const auto past = analyze::past_run(*reader);
    progress.end();
    if (past) analyze::add_past_run(run, *past);
    else complain(log, past.error());
  }
}

}  // namespace trikal::cli
