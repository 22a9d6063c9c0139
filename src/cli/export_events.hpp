#pragma once
// `trikal export --format ldms-json|ldms-csv`: a file of events, or a store, as the LDMS Darshan connector would have published it.

#include <string>
#include <vector>

#include "cli/command_line.hpp"
#include "report/ldms/messages.hpp"

namespace trikal::cli {

struct EventsExportOptions {
  std::string path, output;
  std::string dialect;  // empty: the current one
  std::vector<std::string> modules;  // empty: as DARSHAN_LDMS_ENABLE_* say
  std::int64_t run = 0;  // of a store; 0: all
  bool csv = false, force = false, salvage = false;
};

// --dialect
Option declare_dialect(CommandLine& app, std::string& value);
[[nodiscard]] report::ldms::Dialect dialect_named(const std::string& name);

// The exit code.
[[nodiscard]] int export_events(const EventsExportOptions& options);

}  // namespace trikal::cli
