#pragma once
// Names for logs. Runs end at the same moment, and none may take the log of another.

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.hpp"

namespace trikal::gather {

// What to do about a log's name that is taken.
enum class Taken : std::uint8_t {
  kRefuse,
  kReplace,  // if it is a regular file's
  kNumber,   // job-2.darshan instead of job.darshan
};

// Whether a log of that name can be written, to be asked before a program is run for it: the directory is there, files
// can be made in it, and the name is not taken by what may not be replaced.
[[nodiscard]] Status can_become_log(const std::string& path, Taken taken);

// Names for `count` logs of one run: job.darshan, job-2.darshan, ...
[[nodiscard]] std::vector<std::string> log_names(const std::string& first, std::size_t count);

// The same from job-`number`.darshan on, counted up until none of them is taken. Somebody may still be quicker.
[[nodiscard]] std::vector<std::string> free_log_names(const std::string& first, std::size_t count, std::size_t& number);

}  // namespace trikal::gather
