#pragma once
// A process turns its own map into a log.

#include "base/result.hpp"
#include "capture/session/config.hpp"
#include "log/crash/view.hpp"

namespace trikal::capture {

[[nodiscard]] Status write_own_log(const log::crash::MapView& map, const Config& config) noexcept;

}  // namespace trikal::capture
