#pragma once
// Reads what libraries.hpp holds.

#include "analyze/dataset/libraries.hpp"
#include "analyze/dataset/outer_time.hpp"

namespace trikal::analyze {

// Adds to `time` what HDF5 and PnetCDF spend on files: MPI-IO and POSIX work inside of that.
[[nodiscard]] Result<Libraries> read_libraries(log::Reader& reader, OuterTime& time);

}  // namespace trikal::analyze
