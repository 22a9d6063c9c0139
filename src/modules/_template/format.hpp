#pragma once
// TEMPLATE records on disk: version 1 had no parent, 2 has.

#include "modules/_template/schema.hpp"
#include "schema/form.hpp"

namespace trikal::modules::template_module {

// 1 -> 2: the parent came in before the counters.
inline bool from_v1(const std::uint64_t* old, std::uint64_t* now) {
  SlotMover(old, now).copy(2).put(0).copy(25 + 5);
  return true;
}

// Oldest first; the last one is what lies in memory. Every word is a number here, so nothing says how to swap.
inline constexpr Form kForms[] = {
    {.version = 1, .head_bytes = 256, .upgrade = from_v1},
    {.version = 2, .head_bytes = 264},
};
inline constexpr ModuleFormat kFormat = {&kSchema, kForms};

}  // namespace trikal::modules::template_module
