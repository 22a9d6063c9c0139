#pragma once
// liburing, which few programs have.

#include "modules/posix/wrappers_uring.hpp"

namespace trikal::modules::posix {

inline constexpr capture::ImportGroup kImportGroups[] = {ring_wrappers};
inline constexpr capture::ImportList kImports = {
    .witness = "io_uring_queue_init", .prefix = "io_uring_", .groups = kImportGroups, .found = find_rings};

}  // namespace trikal::modules::posix
