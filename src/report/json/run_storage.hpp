#pragma once
// Where a run's files lie on Lustre, and its counters in full, as JSON.

#include "analyze/dataset/run.hpp"
#include "report/json/writer.hpp"

namespace trikal::report {

// "stripes": {...} of a file that has a layout, into the open object.
void write_layout(JsonWriter& json, const analyze::Run& run, const analyze::FileUse& file);

// "targets": [...], Lustre's storage targets by what lies on them. A file's bytes count as spread evenly over its own.
void write_targets(JsonWriter& json, const analyze::Run& run);

// "counters": [...], of every layer all its records together.
void write_counters(JsonWriter& json, const analyze::Run& run);

}  // namespace trikal::report
