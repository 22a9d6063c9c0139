#pragma once
// Events of a program that is run, drained into a file while it runs: --events and --events-file; --publish sends them on.

#include <memory>
#include <string>

#include "cli/events_file.hpp"
#include "cli/run_program.hpp"

namespace trikal::cli {

// --events, --events-file, --publish and --dialect.
void declare_events(CommandLine& app, RunOptions& options);
// Of --events, --events-file and --publish. False: there is something wrong with them.
[[nodiscard]] bool understand_events(RunOptions& options);

class RunEvents {
 public:
  // False: nothing is to be run, the file cannot be made. `log` is the name of the log that goes with it.
  [[nodiscard]] bool begin(const RunOptions& options, const std::string& directory, const std::string& log);
  // Never the program's business, as the page.
  void end(const RunOptions& options);
  // The program could not be started: there is no file.
  void discard() { file_.reset(), publisher_.reset(); }

 private:
  bool begin_publishing(const RunOptions& options, const std::string& directory);
  void end_publishing(const RunOptions& options);

  std::unique_ptr<Publisher> publisher_;  // the file tells it of events: it must be there longer
  std::string name_;
  std::unique_ptr<EventsFile> file_;
};

}  // namespace trikal::cli
