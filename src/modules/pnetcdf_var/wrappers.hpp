#pragma once
// The functions of Parallel netCDF on variables that are watched, in the tables the imports are redirected by.

#include <span>

#include "capture/interpose/imports.hpp"

namespace trikal::modules::pnetcdf_var {

// modules/pnetcdf_file/imports.hpp puts them together.
void wrappers(const capture::ImportUse& use) noexcept;
void transfer_wrappers(const capture::ImportUse& use) noexcept;

}  // namespace trikal::modules::pnetcdf_var
