#pragma once
// MDHIM: a distributed key-value store. One record a store (and rank), with a count for each server.

#include "schema/module.hpp"

namespace trikal::modules::mdhim {

inline constexpr std::uint32_t kHeadBytes = 88;  // then MDHIM_SERVERS counts, at least one

inline constexpr Counter kCounters[] = {
    {"MDHIM_PUTS", Unit::kCalls, Fold::kSum, "puts"},
    {"MDHIM_GETS", Unit::kCalls, Fold::kSum, "gets"},
    {"MDHIM_PUT_MAX_SIZE", Unit::kBytes, Fold::kMax, "largest value put"},
    {"MDHIM_GET_MAX_SIZE", Unit::kBytes, Fold::kMax, "longest key asked for"},
    {"MDHIM_SERVERS", Unit::kNone, Fold::kKeep, "servers of the store"},
    real("MDHIM_F_PUT_TIMESTAMP", Unit::kTimestamp, Fold::kMin, "when the first put was made"),
    real("MDHIM_F_GET_TIMESTAMP", Unit::kTimestamp, Fold::kMin, "when the first get was made"),
    real("MDHIM_F_PUT_MAX_DURATION", Unit::kSeconds, Fold::kWithMaxPut, "how long the largest put took"),
    real("MDHIM_F_GET_MAX_DURATION", Unit::kSeconds, Fold::kWithMaxGet, "how long the largest get took"),
};
inline constexpr std::size_t kServersAt = 16 + 8 * slot_of(kCounters, "MDHIM_SERVERS");

inline constexpr ModuleSchema kSchema = {
    .id = 12,
    .name = "MDHIM",
    .prefix = "MDHIM",
    .version = 1,
    .shape = Shape::kWhole,
    .head_bytes = kHeadBytes,
    .counters_at = 16,
    .counters = kCounters,
    .fields = {},
    .totals = false,
    .roles = {},
    .help = "puts and gets of the MDHIM key-value store, and which servers they went to",
};
static_assert(slots_in(kCounters, false) == 5 && slots_in(kCounters, true) == 4);
static_assert(kSchema.counters_at + 8 * slots_in(kCounters) == kHeadBytes);
static_assert(kServersAt == 48);

}  // namespace trikal::modules::mdhim
