#pragma once
// The one screen a person sees when a program has been observed.

#include <string>

#include "analyze/rules/policy.hpp"
#include "log/read/reader.hpp"
#include "report/sink.hpp"

namespace trikal::report {

struct RunFacts {
  std::string log_path;
  std::size_t processes = 0;
  std::size_t with_io = 0;
  std::size_t still_running = 0;
};

// What the log says in a few lines: how long, how much, how many files, where the log is.
[[nodiscard]] Status write_run_summary(Sink& out, log::Reader& reader, const RunFacts& facts,
                                       const analyze::Policy& policy);

}  // namespace trikal::report
