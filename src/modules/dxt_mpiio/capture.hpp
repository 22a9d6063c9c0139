#pragma once
// Its records are made of the trace (capture/records/trace.hpp) when a log is made: nothing is counted here.

#include "capture/session/hooks.hpp"
#include "modules/dxt_mpiio/schema.hpp"

namespace trikal::modules::dxt_mpiio {

inline constexpr capture::ModuleHooks kHooks = {.schema = &kSchema, .after_fork = []() noexcept {}};

}  // namespace trikal::modules::dxt_mpiio
