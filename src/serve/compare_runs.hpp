#pragma once
// The runs of an application beside each other.

#include "store/store.hpp"

namespace trikal::serve {

// dimension, name, run (0: of all), seconds, typical, compared: what deviates, among the runs of the same program as this run.
[[nodiscard]] Result<storage::Table> compare_runs(storage::Panels& panels, std::int64_t run);

}  // namespace trikal::serve
