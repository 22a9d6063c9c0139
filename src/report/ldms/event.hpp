#pragma once
// What a message of the LDMS Darshan connector is made of. Plain values: events come from a file, from a running program or from
// a store alike.

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "log/crash/operation.hpp"

namespace trikal::report::ldms {

inline constexpr std::int64_t kUnknown = -1;  // what the connector writes for a number that does not apply
inline constexpr std::int64_t kNoTime =
    std::numeric_limits<std::int64_t>::min();  // of a process whose start is unknown
inline constexpr std::string_view kNotApplicable = "N/A";

// The process that made the call.
struct Process {
  std::int64_t uid = kUnknown, job_id = kUnknown;
  std::int64_t start = kNoTime;  // nanoseconds since 1970
  std::string node, program;  // empty: unknown; the program is a path
};

// One call. Details are as in stream::EventDetails: -1 where nobody counted.
struct Event {
  std::uint64_t process_number = 0;  // tells processes of one stream of events apart
  const Process* process = nullptr;  // null: nothing is known of it
  std::int64_t rank = kUnknown;
  log::crash::Operation operation = log::crash::Operation::kOther;
  std::uint64_t file = 0;
  std::string_view name;  // of the file; empty: unknown
  std::string_view data_set;  // the end of the name that a dataset of HDF5 has in it; empty: it is none
  std::int64_t begin = 0, duration = 0;  // nanoseconds, `begin` since 1970
  std::int64_t offset = kUnknown, length = 0;
  std::int64_t highest_read = kUnknown, highest_written = kUnknown, switches = kUnknown, flushes = kUnknown;
  std::int64_t point_selects = kUnknown, regular_selects = kUnknown, irregular_selects = kUnknown;
  std::int64_t dimensions = kUnknown, dataset_elements = kUnknown;
};

}  // namespace trikal::report::ldms
