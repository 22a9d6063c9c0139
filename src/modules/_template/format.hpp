#pragma once
// TEMPLATE records on disk: version 1.

#include "modules/_template/schema.hpp"
#include "schema/form.hpp"

namespace trikal::modules::template_module {

// Oldest first; the last one is what lies in memory. Older ones have a function that makes the newest of them: see h5f. Every
// word is a number here, so nothing says how to swap.
inline constexpr Form kForms[] = {
    {.version = 1, .head_bytes = 256},
};
inline constexpr ModuleFormat kFormat = {&kSchema, kForms};

}  // namespace trikal::modules::template_module
