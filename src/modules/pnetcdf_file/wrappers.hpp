#pragma once
// The functions of Parallel netCDF on files that are watched, in the table the imports are redirected by.

#include <span>

#include "capture/interpose/imports.hpp"

namespace trikal::modules::pnetcdf_file {

void wrappers(const capture::ImportUse& use) noexcept;  // imports.hpp has them
// Once, when a library that defines ncmpi_create is in the process: whether it is one that we understand.
[[nodiscard]] bool find_pnetcdf() noexcept;

}  // namespace trikal::modules::pnetcdf_file
