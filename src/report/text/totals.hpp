#pragma once
// The --total, --file and --perf blocks of one module.

#include "analyze/metrics/accumulator.hpp"
#include "report/sink.hpp"

namespace trikal::report {

void write_totals(Sink& out, const analyze::Accumulator& accumulator);
void write_file_counts(Sink& out, const analyze::Derived& derived);
void write_performance(Sink& out, const analyze::Derived& derived);
// "# description of POSIX counters:" and a line a counter.
void write_counter_help(Sink& out, const ModuleSchema& schema);
// What records of an older version do not have; nothing for the newest.
void write_version_note(Sink& out, const ModuleSchema& schema, std::uint32_t version);

}  // namespace trikal::report
