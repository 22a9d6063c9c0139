#pragma once
// STDIO: calls on streams (fopen, fread, fprintf ...). One record a stream's file (and rank).

#include "modules/stdio/extra.hpp"
#include "schema/families.hpp"
#include "schema/module.hpp"

namespace trikal::modules::stdio {

inline constexpr auto kCounters = table(
    rows({
        {"STDIO_OPENS", Unit::kCalls, Fold::kSum, "streams opened; the standard ones count once"},
        {"STDIO_FDOPENS", Unit::kCalls, Fold::kSum, "streams opened on a descriptor of this file; -1 if not observed"},
        {"STDIO_READS", Unit::kCalls, Fold::kSum, "successful reads"},
        {"STDIO_WRITES", Unit::kCalls, Fold::kSum, "successful writes, flushes not counted"},
        {"STDIO_SEEKS", Unit::kCalls, Fold::kSum, "fseek, fsetpos and rewind calls"},
        {"STDIO_FLUSHES", Unit::kCalls, Fold::kSum, "fflush calls on this stream"},
        {"STDIO_BYTES_WRITTEN", Unit::kBytes, Fold::kSum, "bytes written"},
        {"STDIO_BYTES_READ", Unit::kBytes, Fold::kSum, "bytes read"},
        {"STDIO_MAX_BYTE_READ", Unit::kOffset, Fold::kMax, "highest offset read, counted from 0"},
        {"STDIO_MAX_BYTE_WRITTEN", Unit::kOffset, Fold::kMax, "highest offset written, counted from 0"},
    }),
    extreme_rank_rows<"STDIO">(),
    rows({
        kMetaTime<"STDIO">,
        kWriteTime<"STDIO">,
        kReadTime<"STDIO">,
        kFirstStart<"STDIO", "open">,
        kFirstStart<"STDIO", "close">,
        kFirstStart<"STDIO", "write">,
        kFirstStart<"STDIO", "read">,
        kLastEnd<"STDIO", "open">,
        kLastEnd<"STDIO", "close">,
        kLastEnd<"STDIO", "write">,
        kLastEnd<"STDIO", "read">,
    }),
    extreme_time_rows<"STDIO">(), variance_rows<"STDIO">());

inline constexpr auto kCallSlots =
    slots_of(kCounters, {"STDIO_OPENS", "STDIO_READS", "STDIO_WRITES", "STDIO_SEEKS", "STDIO_FLUSHES"});

inline constexpr ModuleSchema kSchema = {
    .id = 9,
    .name = "STDIO",
    .prefix = "STDIO",
    .version = 2,
    .shape = Shape::kFixed,
    .head_bytes = 248,
    .counters_at = 16,
    .counters = kCounters,
    .fields = {},
    .totals = true,
    .roles = roles_of("STDIO", kCounters),
    .help = "calls on streams: fopen, fread, fwrite, fprintf, fgets, fseek, fflush",
    .extra = &kExtraSchema,
    .calls = kCallSlots,
};
static_assert(slots_in(kCounters, false) == 14 && slots_in(kCounters, true) == 15);
static_assert(kSchema.counters_at + 8 * slots_in(kCounters) == kSchema.head_bytes);
static_assert(has_volume_and_time(kSchema.roles));
static_assert(kSchema.counters_at + 8 * slot_of(kCounters, "STDIO_F_READ_END_TIMESTAMP") == 208);

}  // namespace trikal::modules::stdio
