#pragma once
// Tables of values in the crash map: a rank's shared files are folded with all values it has counted, not only with the
// four of the record. Where the map is full, memory of the process's own serves, and the record's four are all there is.

#include "log/crash/layout.hpp"

namespace trikal::capture {

// Which counter of which record a table is for.
struct ValuesOf {
  std::uint64_t id = 0;
  std::uint32_t module = 0;
  std::uint32_t counter = 0;  // slot of the values, as logs have it
};

// Zeroed but for its head; null: no memory. Kept for as long as the process lives.
template <std::size_t Words>
[[nodiscard]] log::crash::ValuesSlot<Words>* take_values(const ValuesOf& of) noexcept;

extern template log::crash::ValuesSlot<1>* take_values<1>(const ValuesOf&) noexcept;
extern template log::crash::ValuesSlot<11>* take_values<11>(const ValuesOf&) noexcept;

// In a forked child.
void forget_values() noexcept;

}  // namespace trikal::capture
