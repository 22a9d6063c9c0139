#pragma once
// MPI-IO records on disk: versions 1 (to 3.1.1) and 2 (to 3.1.6) lie alike, 3 since 3.1.7.

#include "modules/mpiio/schema.hpp"
#include "schema/form.hpp"

namespace trikal::modules::mpiio {

// The start of the first close and the end of the last open came in.
inline bool from_v2(const std::uint64_t* old, std::uint64_t* now) {
  SlotMover(old, now)
      .copy(2 + 51)
      .copy(3)            // OPEN, READ_START, WRITE_START
      .put_real(-1.0, 2)  // CLOSE_START, OPEN_END
      .copy(12);
  return true;
}

inline constexpr Form kForms[] = {
    {.version = 1, .head_bytes = 544, .upgrade = from_v2},
    {.version = 2, .head_bytes = 544, .upgrade = from_v2},
    {.version = 3, .head_bytes = 560},
};
inline constexpr ModuleFormat kFormat = {&kSchema, kForms};

}  // namespace trikal::modules::mpiio
