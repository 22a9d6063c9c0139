#include "capture/process/rehearsal.hpp"

#include <algorithm>
#include <limits>

#include "capture/events/event.hpp"
#include "capture/session/hooks.hpp"
#include "capture/session/session.hpp"

namespace trikal::capture {

constinit std::atomic<double> noting_seconds{40e-9};

namespace {

using log::crash::CallCost;
using log::crash::SelfFacts;

constinit CallCost measured[SelfFacts::kMostCosts];

// All that a wrapper does but look the file up and call; the best of a few rounds, for the first ones warm up.
double seconds_a_call(Session& owner, const ModuleHooks& module) noexcept {
  constexpr int kRounds = 4, kCalls = 32;
  double best = std::numeric_limits<double>::max();
  for (int round = 0; round < kRounds; ++round) {
    const Ticks from = read_counter();
    for (int i = 0; i < kCalls; ++i) {
      const Ticks begin = read_counter();
      const Ticks end = read_counter();
      const Inside inside;
      module.rehearse({begin, end});
    }
    best = std::min(best, owner.span(from, read_counter()).length() / kCalls);
  }
  return best;
}

}  // namespace

void rehearse_calls(Session& owner) noexcept {
  static constinit std::int64_t nobodys_sum = 0;
  constexpr double kAlways = 1e12;
  for (Tally& tally : tallies) tally = {-kAlways, kAlways, 0, ~Ticks{0}, {&nobodys_sum, &nobodys_sum}};
  std::size_t count = 0;
  double most = 0;
  for (const ModuleHooks& module : module_hooks()) {
    if (module.rehearse == nullptr || count == SelfFacts::kMostCosts) continue;
    constexpr double kPicoseconds = 1e12, kMost = 1e9;
    const double cost = std::clamp(kPicoseconds * seconds_a_call(owner, module), 0.0, kMost);
    most = std::max(most, cost / kPicoseconds);
    measured[count++] = {module.schema->id, static_cast<std::uint32_t>(cost)};
  }
  for (Tally& tally : tallies) tally = {};
  if (most > 0)
    noting_seconds.store(std::min(most, 1e-5),
                         std::memory_order_relaxed);  // no more than a machine that is emulated takes
}

void keep_costs(Session& owner) noexcept {
  std::copy(std::begin(measured), std::end(measured), owner.arena.header()->self.costs);
}

}  // namespace trikal::capture
