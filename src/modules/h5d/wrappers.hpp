#pragma once
// The functions of HDF5 on datasets that are watched, in the table the imports are redirected by.

#include <span>

#include "capture/interpose/imports.hpp"

namespace trikal::modules::h5d {

void wrappers(const capture::ImportUse& use) noexcept;  // modules/h5f/imports.hpp has them

}  // namespace trikal::modules::h5d
