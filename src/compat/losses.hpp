#pragma once
// What the original library loses of old logs, and the tests of its users have come to expect
// (docs/decisions/0012-what-the-original-loses.md). trikal itself, and libtrikal-log, show what the log holds.

#include <cstddef>
#include <string>

#include "log/read/job.hpp"
#include "schema/module.hpp"

namespace trikal::compat {

// Changes a fixed record on its way to the caller. `version` is that of the module in the log.
void lose_values(ModuleId module, std::uint32_t version, std::byte* record);

// The command line; where the log has no mounts the original has none.
[[nodiscard]] std::string command_line(const log::Job& job);

}  // namespace trikal::compat
