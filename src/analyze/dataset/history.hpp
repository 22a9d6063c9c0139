#pragma once
// Earlier runs of a program, from their logs.

#include "analyze/dataset/run.hpp"

namespace trikal::analyze {

// Whether the log is of the same program with as many processes, and began before this run. Tells from the job alone:
// most logs of a directory are not worth reading.
[[nodiscard]] bool is_earlier_run(const log::Job& earlier, const log::Job& now);

[[nodiscard]] Result<PastRun> past_run(log::Reader& reader);

// Inserts it in the order of time. A log that is given twice counts once.
void add_past_run(Run& run, const PastRun& past);

}  // namespace trikal::analyze
