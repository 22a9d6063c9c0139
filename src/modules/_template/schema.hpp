#pragma once
// TEMPLATE: a small sample of a module, built and tested but in no list. One record a file (and rank).
// scripts/new-module makes a new one from it.

#include "schema/families.hpp"
#include "schema/module.hpp"

namespace trikal::modules::template_module {

inline constexpr auto kCalls = rows({
    {"TEMPLATE_OPENS", Unit::kCalls, Fold::kSum, "successful opens"},
    {"TEMPLATE_READS", Unit::kCalls, Fold::kSum, "successful reads"},
    {"TEMPLATE_WRITES", Unit::kCalls, Fold::kSum, "successful writes"},
    {"TEMPLATE_BYTES_READ", Unit::kBytes, Fold::kSum, "bytes read"},
    {"TEMPLATE_BYTES_WRITTEN", Unit::kBytes, Fold::kSum, "bytes written"},
});
inline constexpr auto kTimes = rows({
    kFirstStart<"TEMPLATE", "open">,
    kLastEnd<"TEMPLATE", "close">,
    kReadTime<"TEMPLATE">,
    kWriteTime<"TEMPLATE">,
    kMetaTime<"TEMPLATE">,
});
// In the order of the record: first all integers, then all reals. A name with '#' is a run of counters, one a
// label. Rows that other modules have too come from schema/families.hpp.
inline constexpr auto kCounters = table(kCalls, size_class_rows<"TEMPLATE">(), kTimes);

inline constexpr ModuleSchema kSchema = {
    .id = 63,
    .name = "TEMPLATE",
    .prefix = "TEMPLATE",
    .version = 1,
    .shape = Shape::kFixed,
    .head_bytes = 256,
    .counters_at = 16,
    .counters = kCounters,
    .fields = {},  // what is in the record but is no counter: see h5d
    .totals = false,
    .roles = roles_of("TEMPLATE", kCounters),
    .help = "a sample module",
};
// Written down, not computed: what is on disk must not change by accident.
static_assert(slots_in(kCounters, false) == 25 && slots_in(kCounters, true) == 5);
static_assert(kSchema.counters_at + 8 * slots_in(kCounters) == kSchema.head_bytes);

}  // namespace trikal::modules::template_module
