#pragma once
// The whole text of `trikal dxt`: header, then every traced read and write, one per line.

#include "base/result.hpp"
#include "log/read/reader.hpp"
#include "report/sink.hpp"
#include "report/text/notices.hpp"

namespace trikal::report {

struct TraceOptions {
  bool threads = false;          // the form after release 3.5.0: how many threads, and which one
  bool show_incomplete = true;   // false: stop at a module whose data are incomplete
};

// Memory does not grow with the traces: they pass by in slices. What files lie on which Lustre targets is held.
[[nodiscard]] Status write_traces(Sink& out, log::Reader& reader, const TraceOptions& options, Notices& notices);

}  // namespace trikal::report
