#pragma once
// The job region: who ran what, when, on which file systems.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/bytes.hpp"
#include "base/result.hpp"
#include "log/layout.hpp"

namespace trikal::log {

struct Mount {
  std::string path;
  std::string type;
  friend bool operator==(const Mount&, const Mount&) = default;
};

struct Job {
  std::int64_t uid = 0;
  std::int64_t start_sec = 0, start_nsec = 0;
  std::int64_t end_sec = 0, end_nsec = 0;
  std::int64_t nprocs = 0;
  std::int64_t job_id = 0;
  std::string metadata;       // raw "key=value\n" lines
  std::string exe;            // the command line
  std::vector<Mount> mounts;  // longest path first: the order they are matched in
  bool whole_seconds = false;  // logs before 3.41 know no nanoseconds

  [[nodiscard]] double run_time() const;
  // Lines without '=' are no pairs and left out, as everywhere.
  [[nodiscard]] std::vector<std::pair<std::string_view, std::string_view>> metadata_pairs() const;
  // The job was killed, and nobody saw when: it took at least as long as it says.
  [[nodiscard]] bool is_at_least() const;
  void set_at_least(bool at_least);
  // The file system a file is on: the longest mount that its name begins with. Null if none.
  [[nodiscard]] const Mount* mount_of(std::string_view file_name) const;
  void sort_mounts();
};

struct ParsedJob {
  Job job;
  std::size_t odd_mount_lines = 0;  // lines of the mount table that are none
};

// `plain` is the region's decompressed content.
[[nodiscard]] Result<ParsedJob> parse_job(Bytes plain, const Header& header);

}  // namespace trikal::log
