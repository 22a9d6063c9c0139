#pragma once
// Hears of data that moved and adds it to the slice of time it moved in.

#include "capture/events/event.hpp"

namespace trikal::modules::heatmap {

void hear(const capture::Event& event) noexcept;
void after_fork() noexcept;

}  // namespace trikal::modules::heatmap
