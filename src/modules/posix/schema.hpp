#pragma once
// POSIX: calls on file descriptors. One record a file (and rank).

#include "modules/posix/counters.hpp"
#include "modules/posix/extra.hpp"
#include "modules/posix/run.hpp"

namespace trikal::modules::posix {

inline constexpr ModuleSchema kSchema = {
    .id = 1,
    .name = "POSIX",
    .prefix = "POSIX",
    .version = 4,
    .shape = Shape::kFixed,
    .head_bytes = 704,
    .counters_at = 16,
    .counters = kCounters,
    .fields = {},
    .totals = true,
    .roles = roles_of("POSIX", kCounters),
    .help = "calls on file descriptors: open, read, write, seek, stat, sync",
    .extra = &kExtraSchema,
    .live_slots = kLiveSlots,
    .runs = &kRunForm,
    .brief_bytes = kBriefBytes,
    .calls = kCallSlots,
};
static_assert(slots_in(kCounters, false) == 69 && slots_in(kCounters, true) == 17);
static_assert(kSchema.counters_at + 8 * slots_in(kCounters) == kSchema.head_bytes);
static_assert(has_volume_and_time(kSchema.roles));
// Lines begin where the order above says they do.
consteval bool begins_line(std::string_view name) {
  return (kSchema.counters_at + 8 * live_slot(kSchema, slot_of(kCounters, name))) % 64 == 0;
}
static_assert(begins_line("POSIX_ACCESS#_COUNT") && begins_line("POSIX_ACCESS#_ACCESS") && begins_line("POSIX_READS") &&
              begins_line("POSIX_SIZE_READ_#") && begins_line("POSIX_SEQ_WRITES"));

}  // namespace trikal::modules::posix
