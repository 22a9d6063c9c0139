#pragma once
// Crash maps of processes that have ended, in few bytes. The processes of a job resemble each other: of a map only those
// words are kept in which it differs from an earlier map of the same program.

#include <cstddef>
#include <optional>
#include <vector>

#include "base/bytes.hpp"
#include "log/crash/view.hpp"

namespace trikal::gather {

// A map without what nobody reads any more: unused slots, tables private to the process. Itself a map.
[[nodiscard]] std::vector<std::byte> trimmed(const log::crash::MapView& map);

// What `map` has that `base` has not, and nothing else; both are trimmed, `base` may be empty. Appended to `into`.
void put_difference(Bytes map, Bytes base, std::vector<std::byte>& into);

// The map again. `difference` is not believed: none if it does not fit together, or the map would be larger than `most`.
[[nodiscard]] std::optional<std::vector<std::byte>> with_difference(Bytes base, Bytes difference, std::size_t most);

}  // namespace trikal::gather
