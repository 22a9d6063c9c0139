#include "cli/export_events.hpp"

#include <fmt/format.h>

#include "cli/complain.hpp"
#include "cli/export_store.hpp"
#include "cli/verb.hpp"
#include "report/ldms/events_export.hpp"

namespace trikal::cli {
namespace {

using report::EventLinesReader;
using report::ldms::EventsExport;
using report::ldms::ModuleSet;

void tell_missing(const std::string& path, const EventsExport::Missing& missing) {
  if (missing.dropped == 0 && missing.sampled_out == 0) return;
  warn(path, fmt::format("{} events were dropped, {} not sampled: cnt and total are those of the events in the file",
                         missing.dropped, missing.sampled_out));
}

}  // namespace

Option declare_dialect(CommandLine& app, std::string& value) {
  return app
      .add_option(
          "--dialect", value,
          "messages of LDMS: published, as the paper about the connector has them, or current, as the connector "
          "of Darshan 3.5 sends them (default: current)")
      ->type_name("published|current")
      ->check(one_of({"published", "current"}));
}

report::ldms::Dialect dialect_named(const std::string& name) {
  return name == "published" ? report::ldms::Dialect::kPublished : report::ldms::Dialect::kCurrent;
}

int export_events(const EventsExportOptions& options) {
  const auto modules = options.modules.empty() ? ModuleSet::of_environment() : ModuleSet::of_names(options.modules);
  if (!modules) return warn(options.path, "messages have the modules posix, stdio, mpi-io, h5f and h5d"), kUsage;
  if (is_store(options.path))
    return export_store({.path = options.path,
                         .output = options.output,
                         .run = options.run,
                         .dialect = dialect_named(options.dialect),
                         .modules = *modules,
                         .csv = options.csv,
                         .force = options.force,
                         .salvage = options.salvage});
  if (options.run != 0) return warn(options.path, "--run is for a store; a file of events has one run"), kUsage;
  auto reader = EventLinesReader::open(options.path == "-" ? "/dev/stdin" : options.path);
  if (!reader) return complain(options.path, reader.error());
  auto output = report::open_file_or_standard_output(options.output,
                                                     options.force ? report::Replace::kYes : report::Replace::kNo);
  if (!output) return complain(options.output, output.error());
  EventsExport work({.dialect = dialect_named(options.dialect),
                     .format = options.csv ? report::ldms::Format::kCsv : report::ldms::Format::kJson,
                     .modules = *modules,
                     .damage = options.salvage ? EventLinesReader::Damage::kSkipped : EventLinesReader::Damage::kEnds});
  const report::ExportStatus status = work.write(*reader, **output);
  if (!status.written.ok())
    return complain(options.output == "-" ? "standard output" : options.output, status.written.error());
  if (!status.read.ok()) return complain(options.path, status.read.error());
  tell_missing(options.path, work.missing());
  return kOk;
}

}  // namespace trikal::cli
