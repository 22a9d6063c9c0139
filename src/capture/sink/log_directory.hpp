#pragma once
// The directory of a process's own log. Below a log path that several users share, nobody's log lies in a directory
// that another user owns: who owns a directory can remove what is in it, whatever its mode.

#include "base/text.hpp"
#include "capture/session/config.hpp"
#include "capture/sink/local_time.hpp"

namespace trikal::capture {

// Makes it, and writes its path with a slash at the end: <log path>/<year>/<month>/<day>/ where a site's staff made that
// or nobody else writes to the log path, <log path>/user-<uid>/<year>/<month>/<day>/ else. The log path itself if neither
// can be used.
void put_log_directory(FixedText& text, const Config& config, const CalendarTime& when) noexcept;

// All directories of `path` but its last part; those that exist are left alone.
void make_directories(const char* path) noexcept;

}  // namespace trikal::capture
