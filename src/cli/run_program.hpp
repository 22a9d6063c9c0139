#pragma once
// Runs a program under observation: what `trikal run` does, and `trikal watch` with somebody looking on.

#include <string>
#include <vector>

#include "cli/policy_option.hpp"
#include "gather/machine_rows.hpp"
#include "gather/maps.hpp"

namespace trikal::cli {

struct RunOptions {
  static constexpr const char *kOutput = "What comes out", *kFiles = "What to watch";  // groups of options

  std::vector<std::string> command;
  std::string log, report;
  std::string default_log;  // what the log is called that nobody named; empty: by program and time of its end
  std::string exclude, include, modules;
  enum class EventsTo : bool { kFile, kStore };
  EventsTo events_to = EventsTo::kFile;
  std::string events, events_file, publish, dialect;
  bool force = false, quiet = false, no_reduce = false, reduce_some = false, call_sites = false, time_all = false;
  std::string trace;
  PolicyOption policy;

  // All but the command. Events go to a file, or to the store of who looks on.
  void declare(CommandLine& app, EventsTo to);
};

// Somebody who looks on while the command runs.
class Onlooker {
 public:
  virtual ~Onlooker() = default;
  // It reads the rings of events: they go into no file.
  [[nodiscard]] virtual bool takes_events() const { return false; }
  // Before it starts; signals are held back already, so threads may be started.
  virtual void begin(const std::string& run_directory) = 0;
  // After it has ended, with all that its processes left. Not called where another rank of the job writes the log.
  virtual void end(const std::vector<gather::MapFile>& maps) = 0;
  // What the machine did meanwhile, for the log; after end().
  [[nodiscard]] virtual std::vector<gather::MachineRow> machine() const { return {}; }
};

// program-20261115-031205.darshan, here.
[[nodiscard]] std::string default_log_name(const std::string& program);

// Ends as the program ended, signal and all.
int run_program(RunOptions& options, Onlooker* onlooker = nullptr);

}  // namespace trikal::cli
