#pragma once
// The maps of all processes of a job become one log, with a table of the processes in its trailer.

#include <string>
#include <vector>

#include "base/result.hpp"
#include "gather/maps.hpp"

namespace trikal::gather {

struct JobLogOptions {
  std::string path;
  std::string arguments;  // the command line, each argument ended by a NUL; empty: the first process's own
  bool replace = false;
};

struct JobLogResult {
  std::size_t processes = 0;     // all
  std::size_t with_io = 0;
  std::size_t still_running = 0;
  std::uint64_t bytes = 0;       // of the log
};

[[nodiscard]] Result<JobLogResult> write_job_log(const std::vector<MapFile>& maps, const JobLogOptions& options);

}  // namespace trikal::gather
