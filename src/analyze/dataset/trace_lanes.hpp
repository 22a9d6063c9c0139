#pragma once
// A trace as rows of a picture: when each rank wrote and read each file. Bounded, whatever a trace holds: accesses that follow each
// other closely become one span, and of very many rows those remain that took most time.

#include "log/read/reader.hpp"

namespace trikal::analyze {

struct TraceSpan {
  double begin = 0, end = 0;  // seconds
  std::int64_t calls = 0, bytes = 0;
  std::int64_t offset = 0;  // of its first call; -1: the log does not say
};

// What one rank wrote to, or read from, one file through one interface.
struct TraceLane {
  std::string_view interface;  // "POSIX"
  std::string_view name;  // of the file, in the reader's name table
  std::int64_t rank = 0;
  bool writes = false;
  std::int64_t calls = 0;
  double seconds = 0;  // in those
  double gap = -1;  // calls with no more time between them are one span; below 0: each is its own
  std::vector<TraceSpan> spans;  // in order of their beginnings

  // As long as there are no more than so many spans, each call is its own.
  void add(const TraceSpan& call, std::size_t most);
  void shorten(std::size_t most);
};

struct TraceLanes {
  std::vector<TraceLane> lanes;  // by rank, then file
  std::size_t total = 0;  // of the log; lanes may be fewer
  std::int64_t calls = 0;  // of all of those
};

// A log without a trace has none.
[[nodiscard]] Result<TraceLanes> read_trace_lanes(log::Reader& reader);

}  // namespace trikal::analyze
