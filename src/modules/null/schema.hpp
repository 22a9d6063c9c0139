#pragma once
// NULL: a sample module whose id is taken. No runtime has ever written a record of it.

#include "schema/module.hpp"

namespace trikal::modules::null {

inline constexpr Counter kCounters[] = {
    {"NULL_FOOS", Unit::kCalls, Fold::kKeep, "calls of the sample function"},
    {"NULL_FOO_MAX_DAT", Unit::kNone, Fold::kKeep, "largest argument of the sample function"},
    real("NULL_F_FOO_TIMESTAMP", Unit::kTimestamp, Fold::kKeep, "when the sample function was first called"),
    real("NULL_F_FOO_MAX_DURATION", Unit::kSeconds, Fold::kKeep, "the longest call of the sample function"),
};

inline constexpr ModuleSchema kSchema = {
    .id = 0,
    .name = "NULL",
    .prefix = "NULL",
    .version = 1,
    .shape = Shape::kFixed,
    .head_bytes = 48,
    .counters_at = 16,
    .counters = kCounters,
    .fields = {},
    .totals = false,
    .roles = {},
    .help = "a sample module that no log holds",
};
static_assert(slots_in(kCounters, false) == 2 && slots_in(kCounters, true) == 2);
static_assert(kSchema.counters_at + 8 * slots_in(kCounters) == kSchema.head_bytes);

}  // namespace trikal::modules::null
