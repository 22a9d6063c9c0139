#pragma once
// The maps of all processes of a job become one log, with a table of the processes in its trailer. Where they are of
// several MPI jobs, each has its log.

#include <string>
#include <vector>

#include "base/result.hpp"
#include "gather/log_names.hpp"
#include "gather/machine_rows.hpp"
#include "gather/maps.hpp"
#include "gather/shared_records.hpp"
#include "log/crash/call_sites.hpp"

namespace trikal::gather {

struct JobLogOptions {
  std::string path;       // of the first log; further ones have a number before their extension
  std::string arguments;  // the command line, each argument ended by a NUL; empty: the first process's own
  Taken taken = Taken::kRefuse;
  Reduce reduce = Reduce::kShared;
  std::uint64_t lost = 0;  // processes that left nothing, for want of space
  log::crash::SiteNames names = {};  // for call sites
  double ended = 0;  // when the command did, in seconds since 1970; 0: not known
  std::span<const MachineRow> machine = {};
};

struct JobLogResult {
  std::string path;
  std::size_t processes = 0;     // all, however many programs each was
  std::size_t with_io = 0;
  std::size_t still_running = 0;
  std::uint64_t bytes = 0;       // of the log
};

// A log for each MPI job among the processes, which name each other in their trailers; one if there is none.
[[nodiscard]] Result<std::vector<JobLogResult>> write_job_logs(const std::vector<MapFile>& maps,
                                                               const JobLogOptions& options);

}  // namespace trikal::gather
