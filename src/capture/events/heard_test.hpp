#pragma once
// What the only listener of the unit tests heard while every_event_is_heard was set.

#include <vector>

#include "capture/events/event.hpp"

namespace trikal::capture {

[[nodiscard]] std::vector<Event>& heard_events();

}  // namespace trikal::capture
