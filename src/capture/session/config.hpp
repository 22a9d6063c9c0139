#pragma once
// What the user asked for: TRIKAL_* variables, then Darshan's names for the same things.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/redact.hpp"

namespace trikal::capture {

struct Config {
  bool disabled = false;
  std::size_t memory = 64UL * 1024 * 1024;  // the arena's cap
  std::uint64_t memory_alignment = 8;       // what buffers are tested against
  const char* log_file = nullptr;           // the log's exact name
  const char* log_path = nullptr;           // or the directory that gets one a process
  bool dated_path = true;                   // with year/month/day below it
  const char* run_directory = nullptr;      // set by `trikal run`: maps are left there, it writes the log
  const char* map_directory = nullptr;      // where the crash map goes otherwise
  std::string_view exclude;                 // comma list of path prefixes not to watch
  std::string_view include;                 // watched all the same
  bool default_excludes = true;
  RedactRules redact;                       // what of the command line is hidden
  std::int64_t rank = -1;                   // as a launcher told; -1 if none did
  std::int64_t job_id = 0;

  void read_environment() noexcept;
  // Whether files of that (clean) name are watched.
  [[nodiscard]] bool watches(std::string_view path) const noexcept;
};

}  // namespace trikal::capture
