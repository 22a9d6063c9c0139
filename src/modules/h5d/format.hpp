#pragma once
// H5D records on disk: version 1 (3.2.0, 3.2.1), 2 since 3.3.0.

#include "modules/h5d/schema.hpp"
#include "schema/form.hpp"

namespace trikal::modules::h5d {

// The id of the file came in before the counters.
inline bool from_v1(const std::uint64_t* old, std::uint64_t* now) {
  SlotMover(old, now).copy(2).put(0).copy(94 + 17);
  return true;
}

inline constexpr Form kForms[] = {
    {.version = 1, .head_bytes = 904, .upgrade = from_v1},
    {.version = 2, .head_bytes = 912},
};
inline constexpr ModuleFormat kFormat = {&kSchema, kForms};

}  // namespace trikal::modules::h5d
