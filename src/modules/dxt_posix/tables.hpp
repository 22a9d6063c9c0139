#pragma once
// As of every trace.

#include "modules/dxt/tables.hpp"

namespace trikal::modules::dxt_posix {

using dxt::kTables;

}  // namespace trikal::modules::dxt_posix
