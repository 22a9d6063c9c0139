#pragma once
// DXT_POSIX records on disk: version 1 (all releases since 3.1.3), 2 (after 3.5.0) adds the thread.

#include "modules/dxt_posix/schema.hpp"

namespace trikal::modules::dxt_posix {

inline constexpr Form kForms[] = {dxt::threadless_form(1), dxt::newest_form(2)};
// No released Darshan accepts version 2: see docs/formats/trailer.md for where the thread goes.
inline constexpr ModuleFormat kFormat = {.schema = &kSchema, .forms = kForms, .written = 1, .rewrite = &dxt::kRewrite};

}  // namespace trikal::modules::dxt_posix
