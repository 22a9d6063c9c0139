#pragma once
// BG/Q records on disk: version 1 (3.0), 2 since 3.1.0.

#include "modules/bgq/schema.hpp"
#include "schema/form.hpp"

namespace trikal::modules::bgq {

// An alignment (with its padding) stood before the counters.
inline bool from_v1(const std::uint64_t* old, std::uint64_t* now) {
  SlotMover(old, now).copy(2).skip(1).copy(11 + 1);
  return true;
}

inline constexpr Form kForms[] = {
    {.version = 1, .head_bytes = 120, .upgrade = from_v1},
    {.version = 2, .head_bytes = 112},
};
inline constexpr ModuleFormat kFormat = {&kSchema, kForms};

}  // namespace trikal::modules::bgq
