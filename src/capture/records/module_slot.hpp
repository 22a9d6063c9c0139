#pragma once
// Where a file keeps its record of each module (tables/files.hpp).

#include <cstdint>

#include "capture/tables/files.hpp"

namespace trikal::capture {

enum ModuleSlot : std::uint8_t {
  kPosixSlot,
  kStdioSlot,
  kMpiioSlot,
  kPosixExtraSlot,  // what their records have no counters for
  kStdioExtraSlot,
  kH5fSlot,
  kH5dSlot,
  kPosixBriefSlot,  // until there is more to say
};
static_assert(kPosixBriefSlot < File::kModules);

}  // namespace trikal::capture
