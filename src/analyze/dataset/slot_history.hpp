#pragma once
// Which counters an old version of a record knew. Nobody keeps a list of that: the up-conversion is asked.

#include <cstdint>
#include <vector>

#include "schema/form.hpp"

namespace trikal::analyze {

// For every 8-byte word of the newest record: whether `version` has something to put there. Empty where that
// cannot be asked (records without a fixed size, unknown versions): then all are taken as known.
[[nodiscard]] std::vector<bool> known_words(const ModuleFormat& format, std::uint32_t version);

// The oldest record version that has the counter with this first slot; the oldest of all where it cannot be asked.
[[nodiscard]] std::uint32_t first_version_with(const ModuleFormat& format, std::size_t slot);

}  // namespace trikal::analyze
