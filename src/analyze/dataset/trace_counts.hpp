#pragma once
// How much of a trace is in the log, where the log says so.

#include "log/read/reader.hpp"

namespace trikal::analyze {

struct TraceCounts {
  std::int64_t events = 0, kept = 0;
  std::int64_t files = 0, thinned = 0;  // by process and interface
  [[nodiscard]] bool is_whole() const { return thinned == 0; }
};

[[nodiscard]] TraceCounts read_trace_counts(log::Reader& reader);

}  // namespace trikal::analyze
