#pragma once
// DXT_POSIX: every read and write of a file through descriptors. One record a file and rank.

#include "modules/dxt/segments.hpp"

namespace trikal::modules::dxt_posix {

inline constexpr ModuleSchema kSchema =
    dxt::schema_of(10, "DXT_POSIX", 2, "a trace of every read and write through file descriptors");

}  // namespace trikal::modules::dxt_posix
