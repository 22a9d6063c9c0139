#pragma once
// The log that darshan-convert and darshan-merge write.

#include <memory>
#include <string>

#include "log/write/tool_writer.hpp"

namespace trikal::compat {

// As there: readable by its owner alone, and a file of that name is replaced, unless it may not be written to.
[[nodiscard]] Result<std::unique_ptr<log::ToolWriter>> create_log(const std::string& path, log::Codec codec);

}  // namespace trikal::compat
