#pragma once
// The rows of a section of version 2: groups of rows, column by column.

#include <memory>
#include <string_view>

#include "log/trailer/reader.hpp"

namespace trikal::log {

// `section`, `source` and `command` (the job's command line) must outlive it. The checksum is the caller's to check.
[[nodiscard]] std::unique_ptr<SectionRows> open_group_rows(const Source& source, const Section& section,
                                                           const Limits& limits, std::string_view command);

}  // namespace trikal::log
