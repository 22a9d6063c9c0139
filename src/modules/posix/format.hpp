#pragma once
// POSIX records on disk: version 1 (3.0), 2 (never released), 3 (3.1.0 to 3.1.6), 4 (since 3.1.7).

#include "modules/posix/schema.hpp"
#include "schema/form.hpp"

namespace trikal::modules::posix {

// 3 -> 4: FILENOS, DUPS and the rename counters came in.
inline bool from_v3(const std::uint64_t* old, std::uint64_t* now) {
  SlotMover(old, now)
      .copy(3)      // id, rank, OPENS
      .put(-1, 2)   // FILENOS, DUPS
      .copy(7)      // READS to FDSYNCS
      .put(-1, 2)   // RENAME_SOURCES, RENAME_TARGETS
      .put(0)       // RENAMED_FROM: none
      .copy(56)     // MODE to SLOWEST_RANK_BYTES
      .copy(17);    // all reals
  return true;
}

// 2 -> 3: the start of the first close and the end of the last open came in.
inline bool from_v2(const std::uint64_t* old, std::uint64_t* now) {
  std::uint64_t v3[2 + 64 + 17];
  SlotMover(old, v3)
      .copy(2 + 64)
      .copy(3)            // OPEN, READ_START, WRITE_START
      .put_real(-1.0, 2)  // CLOSE_START, OPEN_END
      .copy(12);
  return from_v3(v3, now);
}

// 1 -> 2: streams left for a module of their own, and their records with them.
inline bool from_v1(const std::uint64_t* old, std::uint64_t* now) {
  constexpr std::size_t kFopens = 2 + 6;
  if (static_cast<std::int64_t>(old[kFopens]) > 0) return false;
  std::uint64_t v2[2 + 64 + 15];
  SlotMover(old, v2).copy(kFopens).skip(4).copy(58 + 15);
  return from_v2(v2, now);
}

inline constexpr Form kForms[] = {
    {.version = 1, .head_bytes = 680, .upgrade = from_v1},
    {.version = 2, .head_bytes = 648, .upgrade = from_v2},
    {.version = 3, .head_bytes = 664, .upgrade = from_v3},
    {.version = 4, .head_bytes = 704},
};
inline constexpr ModuleFormat kFormat = {&kSchema, kForms};

}  // namespace trikal::modules::posix
