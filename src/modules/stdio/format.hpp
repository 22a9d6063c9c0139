#pragma once
// STDIO records on disk: version 1 (3.1.0 to 3.1.6), 2 since 3.1.7.

#include "modules/stdio/schema.hpp"
#include "schema/form.hpp"

namespace trikal::modules::stdio {

// FDOPENS came in behind OPENS.
inline bool from_v1(const std::uint64_t* old, std::uint64_t* now) {
  SlotMover(old, now).copy(2 + 1).put(-1).copy(12 + 15);
  return true;
}

inline constexpr Form kForms[] = {
    {.version = 1, .head_bytes = 240, .upgrade = from_v1},
    {.version = 2, .head_bytes = 248},
};
inline constexpr ModuleFormat kFormat = {&kSchema, kForms};

}  // namespace trikal::modules::stdio
