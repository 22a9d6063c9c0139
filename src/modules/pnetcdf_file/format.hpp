#pragma once
// PNETCDF_FILE records on disk: version 1 (to 3.1.6), 2 (to 3.4.0), 3 since 3.4.1.

#include "modules/pnetcdf_file/schema.hpp"
#include "schema/form.hpp"

namespace trikal::modules::pnetcdf_file {

// 2 -> 3: opens are no longer told apart; all but the times of open and close is new.
inline bool from_v2(const std::uint64_t* old, std::uint64_t* now) {
  const std::uint64_t opens = old[2] + old[3];  // independent and collective
  SlotMover(old, now)
      .copy(2)
      .put(-1)                               // CREATES
      .put(static_cast<std::int64_t>(opens))
      .put(-1, 7)                            // REDEFS to WAIT_FAILURES
      .skip(2)
      .copy(2)                               // OPEN_START, CLOSE_START
      .put_real(-1.0)                        // WAIT_START
      .copy(2)                               // OPEN_END, CLOSE_END
      .put_real(-1.0, 3);                    // WAIT_END, META_TIME, WAIT_TIME
  return true;
}

// 1 -> 2: one time of open and one of close became a start and an end each.
inline bool from_v1(const std::uint64_t* old, std::uint64_t* now) {
  std::uint64_t v2[2 + 2 + 4];
  SlotMover(old, v2).copy(2 + 2).copy(1).put_real(-1.0, 2).copy(1);
  return from_v2(v2, now);
}

inline constexpr Form kForms[] = {
    {.version = 1, .head_bytes = 48, .upgrade = from_v1},
    {.version = 2, .head_bytes = 64, .upgrade = from_v2},
    {.version = 3, .head_bytes = 152},
};
inline constexpr ModuleFormat kFormat = {&kSchema, kForms};

}  // namespace trikal::modules::pnetcdf_file
