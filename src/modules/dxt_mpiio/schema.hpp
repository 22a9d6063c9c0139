#pragma once
// DXT_MPIIO: every read and write of a file through MPI-IO. One record a file and rank.

#include "modules/dxt/segments.hpp"

namespace trikal::modules::dxt_mpiio {

inline constexpr ModuleSchema kSchema =
    dxt::schema_of(11, "DXT_MPIIO", 3, "a trace of every read and write through MPI-IO");

}  // namespace trikal::modules::dxt_mpiio
