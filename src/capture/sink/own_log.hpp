#pragma once
// A process makes a log of its own map.

#include "base/result.hpp"
#include "capture/session/config.hpp"
#include "log/crash/view.hpp"

namespace trikal::capture {

// `ending`: the seconds spent on it so far are part of what observing took; they are asked for when they are written.
[[nodiscard]] Status write_own_log(const log::crash::MapView& map, const Config& config,
                                   double (*ending)() noexcept) noexcept;

}  // namespace trikal::capture
