#pragma once
// DXT_MPIIO records on disk: version 1 (3.1.3 to 3.1.8) has no true offsets, 2 (3.2.0 to 3.5.0) has,
// 3 (after 3.5.0) adds the thread.

#include "modules/dxt_mpiio/schema.hpp"

namespace trikal::modules::dxt_mpiio {

// What version 1 stored as offset means nothing.
inline void forget_offsets(const std::byte* old, std::uint64_t count, std::byte* now) {
  dxt::add_thread(old, count, now);
  for (; count > 0; --count, now += dxt::kSegmentBytes) store(now + offsetof(dxt::Segment, offset), std::int64_t{-1});
}

inline constexpr Form kForms[] = {
    dxt::threadless_form(1, forget_offsets),
    dxt::threadless_form(2),
    dxt::newest_form(3),
};
// No released Darshan accepts version 3: see docs/formats/trailer.md for where the thread goes.
inline constexpr ModuleFormat kFormat = {.schema = &kSchema, .forms = kForms, .written = 2, .rewrite = &dxt::kRewrite};

}  // namespace trikal::modules::dxt_mpiio
