#pragma once
// A job and names, from a log being read into a log being written. Used by convert and merge.

#include <string>
#include <vector>

#include "log/copy.hpp"
#include "log/read/job.hpp"

namespace trikal::log {

// The job with what the options ask for. Tokens of the annotation that do not fit go to the warnings.
[[nodiscard]] Job edit_job(const Job& job, const CopyOptions& options, CopyReport& report);

[[nodiscard]] Status put_job(Writer& writer, const Job& job, CopyReport& report);

// What a name becomes under a key: the file system it is on, and a number.
[[nodiscard]] std::string obfuscated_name(std::string_view name, const Job& job, std::uint32_t key);

}  // namespace trikal::log
