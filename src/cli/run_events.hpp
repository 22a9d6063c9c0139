#pragma once
// Events of a program that is run, drained into a file while it runs: --events and --events-file.

#include <memory>
#include <string>

#include "cli/events_file.hpp"
#include "cli/run_program.hpp"

namespace trikal::cli {

// Of --events and --events-file. False: there is something wrong with them.
[[nodiscard]] bool understand_events(RunOptions& options);

class RunEvents {
 public:
  // False: nothing is to be run, the file cannot be made. `log` is the name of the log that goes with it.
  [[nodiscard]] bool begin(const RunOptions& options, const std::string& directory, const std::string& log);
  // Never the program's business, as the page.
  void end(const RunOptions& options);
  // The program could not be started: there is no file.
  void discard() { file_.reset(); }

 private:
  std::string name_;
  std::unique_ptr<EventsFile> file_;
};

}  // namespace trikal::cli
