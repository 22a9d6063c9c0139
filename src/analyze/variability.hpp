#pragma once
// Runs of one application beside each other: which run, and which part of it (a rank, a file, a node, a phase, an hour of the
// day), took longer than it usually does.

#include <cstdint>
#include <string>
#include <vector>

namespace trikal::analyze {

// A part of a run: its share of the run's I/O time.
struct RunPart {
  std::string dimension;  // "rank", "file", "host", "phase", "operation"
  std::string name;
  double seconds = 0;
};

struct RunSample {
  std::int64_t run = 0;
  double start = 0;  // seconds since 1970
  double seconds = 0;  // of I/O, all processes
  std::vector<RunPart> parts;
};

struct Deviation {
  std::string dimension;  // of a part; or "run", "hour"
  std::string name;
  std::int64_t run = 0;  // 0: of all runs
  double seconds = 0, typical = 0;  // what it took, and the median of what it is compared with
  std::size_t compared = 0;  // with how many
};

// Fewer cannot tell what is usual.
inline constexpr std::size_t kLeastRuns = 3;

// The largest excess in seconds first. Nothing is a deviation that is within the spread of the others.
[[nodiscard]] std::vector<Deviation> find_deviations(const std::vector<RunSample>& runs);

}  // namespace trikal::analyze
