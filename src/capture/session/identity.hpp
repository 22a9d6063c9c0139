#pragma once
// Which process this is, beyond its pid.

#include "log/crash/layout.hpp"

namespace trikal::capture {

// `parents`: in a forked child, its parent's.
[[nodiscard]] log::crash::Identity read_identity(const log::crash::Identity* parents) noexcept;

}  // namespace trikal::capture
