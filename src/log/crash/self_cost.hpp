#pragma once
// What observing a process took of its time. Nothing is counted for it while the process runs: the number of calls
// follows from its records, what one of them takes was measured when it began. No heap.

#include "log/crash/to_log.hpp"

namespace trikal::log::crash {

struct SelfCost {
  std::uint64_t calls = 0;
  double noting = 0;   // seconds for all of them
  double session = 0;  // seconds to start and to stop
};

[[nodiscard]] SelfCost self_cost(const MapView& map, Schemas schemas) noexcept;

}  // namespace trikal::log::crash
