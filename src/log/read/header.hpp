#pragma once
// The header: decoded, checked against the size of the file, in today's module numbering.

#include "base/result.hpp"
#include "log/layout.hpp"
#include "log/read/source.hpp"

namespace trikal::log {

// Refuses what is no 3.x log with a reason. Extents are as the file gives them; see check_extents.
[[nodiscard]] Result<Header> read_header(const Source& source);

// The error for the first region that does not lie between the header and the end of the file.
[[nodiscard]] Status check_extents(const Header& header, std::uint64_t file_size);

// Cuts every region to what the file holds. True if anything was cut.
bool clip_extents(Header& header, std::uint64_t file_size);

}  // namespace trikal::log
