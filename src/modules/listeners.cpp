// Who listens to what the modules tell.

#include <algorithm>

#include "capture/events/event.hpp"
#include "capture/records/call_sites.hpp"
#include "capture/records/trace.hpp"
#include "capture/session/hooks.hpp"
#include "capture/stream/event_rings.hpp"
#include "modules/heatmap/capture.hpp"

namespace trikal::capture {
namespace {

// Who hears of every event, where it is asked for.
struct Listener {
  bool (*is_wanted)(const Config& config) noexcept;
  void (*hear)(const Event& event) noexcept;
};
constexpr Listener kListeners[] = {
    {[](const Config& config) noexcept { return config.call_sites; },
     [](const Event& event) noexcept { call_sites.hear(event); }},
    {[](const Config& config) noexcept { return config.trace.on; },
     [](const Event& event) noexcept { trace.hear(event); }},
    // Only where somebody reads them.
    {[](const Config& config) noexcept { return config.events.is_on() && config.leaves_map(); },
     [](const Event& event) noexcept { event_rings.hear(event); }},
};

}  // namespace

bool is_every_event_wanted(const Config& config) noexcept {
  return std::ranges::any_of(kListeners, [&](const Listener& listener) { return listener.is_wanted(config); });
}

void tell_listeners(const Event& event) noexcept {
  for (const Listener& listener : kListeners) {
    if (listener.is_wanted(session.config)) listener.hear(event);
  }
}

// The heat map hears of all data, and asks for no more than sums.
void tell_moved(Operation operation, std::uint64_t file, Span when, std::int64_t offset, std::int64_t length) noexcept {
  const Event event{operation, file, when, offset, length};
  const Tally& tally = tallies_of_heard[flow_of(operation)];
  if (when.begin >= tally.begin && when.end < tally.end) *tally.sums[is_read(operation)] += length;
  else modules::heatmap::hear(event);
  if (every_event_is_heard) tell_listeners(event);
}

}  // namespace trikal::capture
