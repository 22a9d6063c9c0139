#pragma once
// When a job ended, and whether that is known.

#include "gather/mpi_jobs.hpp"

namespace trikal::gather {

struct JobEnd {
  double when = 0;        // seconds since 1970
  bool at_least = false;  // a process was killed, and nobody saw when
};

// `command_ended`: when the command did that all processes belong to; 0: not known.
[[nodiscard]] JobEnd end_of(const TreeJob& job, double command_ended);

}  // namespace trikal::gather
