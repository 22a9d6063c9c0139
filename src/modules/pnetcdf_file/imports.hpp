#pragma once
// Parallel netCDF: its files, and its variables, which are another module's. One list, since it is one library.

#include "modules/pnetcdf_file/wrappers.hpp"
#include "modules/pnetcdf_var/wrappers.hpp"

namespace trikal::modules::pnetcdf_file {

inline constexpr capture::ImportGroup kImportGroups[] = {wrappers, pnetcdf_var::wrappers,
                                                         pnetcdf_var::transfer_wrappers};
inline constexpr capture::ImportList kImports = {.witness = "ncmpi_create",
                                                 .prefix = "ncmpi_",
                                                 .groups = kImportGroups,
                                                 .found = find_pnetcdf,
                                                 .calls_itself = true};

}  // namespace trikal::modules::pnetcdf_file
