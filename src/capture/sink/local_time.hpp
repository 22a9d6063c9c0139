#pragma once

#include "base/time_zone.hpp"
#include "capture/session/kept_environment.hpp"

namespace trikal::capture {

// As localtime_r has it, for the names of logs; without its lock and its memory, because processes end in signal
// handlers. The zone is the one the process began with.
[[nodiscard]] CalendarTime local_time(std::int64_t when, const KeptEnvironment& environment) noexcept;

}  // namespace trikal::capture
