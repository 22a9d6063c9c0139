#pragma once
// Which process this is, beyond its pid.

#include "log/crash/layout.hpp"

namespace trikal::capture {

[[nodiscard]] log::crash::Identity read_identity() noexcept;

}  // namespace trikal::capture
