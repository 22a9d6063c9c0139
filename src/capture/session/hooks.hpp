#pragma once
// What a module must be told, and how it notes a call. A module has its own in capture.hpp; modules/list.txt says
// which modules there are.

#include <span>

#include "capture/clock/clock.hpp"
#include "capture/session/config.hpp"
#include "schema/module.hpp"
#include "schema/rewrite.hpp"

namespace trikal::capture {

// For records that count in bins of time, as the log has them: ranks of a job put theirs on one axis.
struct Timeline {
  // The record, `seconds` later, widens the grid.
  void (*survey)(Bytes record, double seconds, TimeGrid& grid) = nullptr;
  // Puts it on the grid. Returns the size of what lies in `now`; 0: no room.
  std::size_t (*rebin)(Bytes record, double seconds, const TimeGrid& grid, MutableBytes now) = nullptr;
};

struct ModuleHooks {
  const ModuleSchema* schema = nullptr;
  void (*after_fork)() noexcept = nullptr;   // in the child: free every lock, forget every record
  void (*before_stop)() noexcept = nullptr;  // a last chance to count
  void (*rehearse)(TickInterval when) noexcept = nullptr;  // notes a read of 64 bytes on a record that is nobody's
  const Timeline* timeline = nullptr;
};

// Whether a listener (modules/listeners.cpp) is to hear of every event.
[[nodiscard]] bool is_every_event_wanted(const Config& config) noexcept;

// In order of module id.
[[nodiscard]] std::span<const ModuleHooks> module_hooks() noexcept;

}  // namespace trikal::capture
