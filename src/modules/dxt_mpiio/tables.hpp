#pragma once
// As of every trace.

#include "modules/dxt/tables.hpp"

namespace trikal::modules::dxt_mpiio {

using dxt::kTables;

}  // namespace trikal::modules::dxt_mpiio
