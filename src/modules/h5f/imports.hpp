#pragma once
// HDF5: its files, and its datasets, which are another module's. One list, since it is one library.

#include "modules/h5d/wrappers.hpp"
#include "modules/h5f/wrappers.hpp"

namespace trikal::modules::h5f {

inline constexpr capture::ImportGroup kImportGroups[] = {wrappers, h5d::wrappers};
inline constexpr capture::ImportList kImports = {
    .witness = "H5open", .prefix = "H5", .groups = kImportGroups, .found = find_hdf5, .has_copies = true};

}  // namespace trikal::modules::h5f
