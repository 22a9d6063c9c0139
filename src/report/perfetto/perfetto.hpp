#pragma once
// A log on a time axis, in the JSON trace event format that Perfetto (ui.perfetto.dev) and Chrome open.
//  - A log with traces: a process a rank, in it a row (thread) for the writes and one for the reads of each file;
//    accesses that overlap, or come from different threads, get rows of their own. Every segment is one complete
//    event ("X") with offset, length and file; times are microseconds, exact to the nanosecond.
//  - A log without: the heatmaps as counters ("C"), bytes read and written in each slice of time.

#include "report/output.hpp"
#include "report/tables.hpp"

namespace trikal::report {

// What = kNoTimes: the log has neither traces nor heatmaps (among the modules asked for).
inline constexpr const char* kNoTimes =
    "the log has neither a trace (DXT) nor heatmaps: there is nothing to put on a time axis";

[[nodiscard]] ExportStatus write_perfetto(log::Reader& reader, std::span<const log::TableInfo> tables,
                                          const log::TableOptions& options, TableOutput& output, Progress& progress);

}  // namespace trikal::report
