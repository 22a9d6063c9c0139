#pragma once
// PNETCDF_VAR records on disk: version 1 since 3.4.1.

#include "modules/pnetcdf_var/schema.hpp"
#include "schema/form.hpp"

namespace trikal::modules::pnetcdf_var {

inline constexpr Form kForms[] = {
    {.version = 1, .head_bytes = 1120},
};
inline constexpr ModuleFormat kFormat = {&kSchema, kForms};

}  // namespace trikal::modules::pnetcdf_var
