#pragma once
// What writing a process's own log and writing a job's have in common.

#include <string_view>

#include "log/write/file_calls.hpp"
#include "log/write/job_text.hpp"

namespace trikal::capture {

// The writer's system calls, past our own wrappers. errno is saved around the whole ending.
[[nodiscard]] const log::FileCalls& raw_file_calls() noexcept;

inline constexpr std::size_t kMostMounts = 64;
// "\n<type>\t<path>" lines as the writer wants them; answers with their number.
std::size_t split_mounts(std::string_view text, log::MountText (&mounts)[kMostMounts]) noexcept;

}  // namespace trikal::capture
