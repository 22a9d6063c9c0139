#pragma once
// H5F records on disk: version 1 (to 3.1.6), 2 (to 3.1.8), 3 since 3.2.0.

#include "modules/h5f/schema.hpp"
#include "schema/form.hpp"

namespace trikal::modules::h5f {

// 2 -> 3: FLUSHES, USE_MPIIO and META_TIME came in.
inline bool from_v2(const std::uint64_t* old, std::uint64_t* now) {
  SlotMover(old, now).copy(2 + 1).put(-1, 2).copy(4).put_real(-1.0);
  return true;
}

// 1 -> 2: one time of open and one of close became a start and an end each.
inline bool from_v1(const std::uint64_t* old, std::uint64_t* now) {
  std::uint64_t v2[2 + 1 + 4];
  SlotMover(old, v2).copy(2 + 1).copy(1).put_real(-1.0, 2).copy(1);
  return from_v2(v2, now);
}

inline constexpr Form kForms[] = {
    {.version = 1, .head_bytes = 40, .upgrade = from_v1},
    {.version = 2, .head_bytes = 56, .upgrade = from_v2},
    {.version = 3, .head_bytes = 80},
};
inline constexpr ModuleFormat kFormat = {&kSchema, kForms};

}  // namespace trikal::modules::h5f
