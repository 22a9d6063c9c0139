#pragma once
// BG/Q records belong to no file; most logs give them no name.

#include "schema/lens.hpp"

namespace trikal::modules::bgq {

inline constexpr Lens kLens = {.nameless = "darshan-bgq-record"};

}  // namespace trikal::modules::bgq
