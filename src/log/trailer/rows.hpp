#pragma once
// The rows of one section of version 1, one at a time.

#include <memory>

#include "log/trailer/reader.hpp"

namespace trikal::log {

// `section` and `source` must outlive it. The checksum is the caller's to check.
[[nodiscard]] std::unique_ptr<SectionRows> open_rows(const Source& source, const Section& section,
                                                     const Limits& limits);

}  // namespace trikal::log
