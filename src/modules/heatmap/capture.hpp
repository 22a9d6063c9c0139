#pragma once
// Hears of data that moved and adds it to the slice of time it moved in.

#include "capture/events/event.hpp"
#include "capture/session/hooks.hpp"
#include "modules/heatmap/rebin.hpp"
#include "modules/heatmap/schema.hpp"

namespace trikal::modules::heatmap {

void hear(const capture::Event& event) noexcept;
void after_fork() noexcept;

inline constexpr capture::Timeline kTimeline = {survey, rebin_into};
inline constexpr capture::ModuleHooks kHooks = {.schema = &kSchema, .after_fork = after_fork, .timeline = &kTimeline};

}  // namespace trikal::modules::heatmap
