#pragma once
// Hears of data that moved and adds it to the slice of time it moved in.

#include "capture/events/moved.hpp"

namespace trikal::modules::heatmap {

void hear(const capture::Moved& fact) noexcept;
void after_fork() noexcept;

}  // namespace trikal::modules::heatmap
