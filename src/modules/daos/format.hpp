#pragma once
// DAOS records on disk: version 1 since 3.4.7.

#include "modules/daos/schema.hpp"
#include "schema/form.hpp"

namespace trikal::modules::daos {

// A uuid is a string of bytes, the same on every machine; the object's id is two numbers.
inline void swap_head(std::byte* head) {
  swap_words(head, kPoolUuidAt / 8);
  swap_words(head + kOidHighAt, 2);
}

inline constexpr Form kForms[] = {
    {.version = 1, .head_bytes = 696, .swap_head = swap_head},
};
inline constexpr ModuleFormat kFormat = {&kSchema, kForms};

}  // namespace trikal::modules::daos
