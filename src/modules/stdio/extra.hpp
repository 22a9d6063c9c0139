#pragma once
// What a STDIO record has no slot for. One row a file (and process) in the trailer's section "stdio_extra".

#include "schema/families.hpp"
#include "schema/module.hpp"

namespace trikal::modules::stdio {

inline constexpr auto kExtraCounters = table(rows({
    {"STDIO_INLINED_BYTES_READ", Unit::kBytes, Fold::kSum,
     "bytes read by getc_unlocked where the compiler put it into the program: seen a buffer at a time, a lower bound; "
     "counted in STDIO_BYTES_READ too"},
    {"STDIO_INLINED_BYTES_WRITTEN", Unit::kBytes, Fold::kSum, "the same for putc_unlocked and STDIO_BYTES_WRITTEN"},
    {"STDIO_READS_NOT_TIMED", Unit::kCalls, Fold::kSum,
     "calls in STDIO_READS that stayed in the stream's buffer and were not timed: their share of STDIO_F_READ_TIME is "
     "that "
     "of calls like them"},
    {"STDIO_WRITES_NOT_TIMED", Unit::kCalls, Fold::kSum, "the same for STDIO_WRITES and STDIO_F_WRITE_TIME"},
    {"STDIO_PIPES", Unit::kNone, Fold::kSum, "1: this standard stream was a pipe, a socket or a terminal"},
}));

inline constexpr ModuleSchema kExtraSchema = {
    .id = 9,
    .name = "stdio_extra",
    .prefix = "STDIO",
    .version = 1,
    .shape = Shape::kFixed,
    .head_bytes = 16 + 8 * static_cast<std::uint32_t>(slots_in(kExtraCounters)),
    .counters_at = 16,
    .counters = kExtraCounters,
    .fields = {},
    .totals = false,
    .roles = {},
    .help = "STDIO calls that records have no counter for",
};

}  // namespace trikal::modules::stdio
