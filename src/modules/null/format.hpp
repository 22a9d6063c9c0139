#pragma once
// NULL records, were there any: version 1.

#include "modules/null/schema.hpp"
#include "schema/form.hpp"

namespace trikal::modules::null {

inline constexpr Form kForms[] = {
    {.version = 1, .head_bytes = 48},
};
inline constexpr ModuleFormat kFormat = {&kSchema, kForms};

}  // namespace trikal::modules::null
