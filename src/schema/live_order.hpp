#pragma once
// A record in the memory of a running process may keep its counters in another order than the log: those that one
// call touches side by side, so that a call of one thread takes few cache lines away from the others.

#include <array>
#include <cstring>

#include "schema/module.hpp"

namespace trikal {

// Not constexpr: a call of it at compile time is an error that says this.
void a_counter_is_named_twice_in_this_order();

// Where each slot lies: the counters named in `first`, in that order, then all others as in the table.
template <std::size_t Slots, std::size_t N>
consteval std::array<std::uint16_t, Slots> live_slots(std::span<const Counter> table,
                                                      const std::string_view (&first)[N]) {
  constexpr std::uint16_t kNowhere = 0xffff;
  std::array<std::uint16_t, Slots> lies_at{};
  lies_at.fill(kNowhere);
  std::uint16_t next = 0;
  const auto put = [&](std::size_t slot, std::size_t width) {
    for (std::size_t bucket = 0; bucket < width; ++bucket) lies_at[slot + bucket] = next++;
  };
  for (const std::string_view name : first) {
    const std::size_t slot = slot_of(table, name);
    if (lies_at[slot] != kNowhere) a_counter_is_named_twice_in_this_order();
    for (const Counter& counter : table) {
      if (counter.name == name) put(slot, counter.width());
    }
  }
  std::size_t slot = 0;
  for (const Counter& counter : table) {
    if (lies_at[slot] == kNowhere) put(slot, counter.width());
    slot += counter.width();
  }
  return lies_at;
}

[[nodiscard]] constexpr std::size_t live_slot(const ModuleSchema& schema, std::size_t slot) {
  return schema.live_slots.empty() ? slot : schema.live_slots[slot];
}

// The log's record from a live one; both have the schema's head_bytes.
inline void to_log_order(const ModuleSchema& schema, const std::byte* live, std::byte* out) {
  if (schema.live_slots.empty()) {
    std::memcpy(out, live, schema.head_bytes);
    return;
  }
  std::memcpy(out, live, schema.counters_at);
  for (std::size_t slot = 0; slot < schema.live_slots.size(); ++slot)
    std::memcpy(out + schema.counters_at + 8 * slot, live + schema.counters_at + 8 * schema.live_slots[slot], 8);
}

}  // namespace trikal
