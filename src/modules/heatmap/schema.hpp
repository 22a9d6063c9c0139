#pragma once
// HEATMAP: bytes moved over time. One record an interface (and rank), named "heatmap:POSIX" and the like.
//
// A record in memory: the 48-byte head, then `nbins` counts of bytes written, then `nbins` of bytes read.

#include "modules/heatmap/live.hpp"
#include "schema/module.hpp"

namespace trikal::modules::heatmap {

inline constexpr std::uint32_t kUnusedAt = 32;  // two words that mean nothing outside the process that wrote them

inline constexpr Field kFields[] = {
    {"bin_width_seconds", Field::Type::kF64, kWidthAt, 8, "time a bin covers"},
    {"nbins", Field::Type::kI64, kBinsAt, 8, "bins for writes, and as many for reads"},
};

inline constexpr ModuleSchema kSchema = {
    .id = 15,
    .name = "HEATMAP",
    .prefix = "HEATMAP",
    .version = 1,
    .shape = Shape::kWhole,
    .head_bytes = kHeadBytes,
    .counters_at = kHeadBytes,
    .counters = {},
    .fields = kFields,
    .totals = false,
    .roles = {},
    .help = "bytes read and written in each slice of time, an interface and rank each",
    .timeline = true,
    .live = &kLiveForm,
};

}  // namespace trikal::modules::heatmap
