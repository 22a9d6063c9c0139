#pragma once
// DFS records on disk: version 1 since 3.4.7.

#include "modules/dfs/schema.hpp"
#include "schema/form.hpp"

namespace trikal::modules::dfs {

// A uuid is a string of bytes, the same on every machine.
inline void swap_head(std::byte* head) { swap_words(head, kPoolUuidAt / 8); }

inline constexpr Form kForms[] = {
    {.version = 1, .head_bytes = 584, .swap_head = swap_head},
};
inline constexpr ModuleFormat kFormat = {&kSchema, kForms};

}  // namespace trikal::modules::dfs
