#pragma once
// The functions of HDF5 on files that are watched, in the table the imports are redirected by.

#include <span>

#include "capture/interpose/imports.hpp"

namespace trikal::modules::h5f {

void wrappers(const capture::ImportUse& use) noexcept;  // imports.hpp has them
// Once, when a library that defines H5open is in the process: whether it is one that we understand.
[[nodiscard]] bool find_hdf5() noexcept;

}  // namespace trikal::modules::h5f
