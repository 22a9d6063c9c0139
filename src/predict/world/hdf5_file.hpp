#pragma once
// What lies in an HDF5 file on the disk: groups, datasets with their shapes, small attributes. Read without HDF5, and not
// believed: files may be damaged, or made to look so.

#include <map>
#include <string>

#include "predict/world/hdf5.hpp"

namespace trikal::predict {

// By path. False: it is not an HDF5 file. Empty: it is one of a kind that is not understood.
[[nodiscard]] bool read_hdf5_file(const std::string& path, std::map<std::string, Hdf5Node>& out);

}  // namespace trikal::predict
