#pragma once
// H5F: HDF5 files. One record a file (and rank).

#include "schema/families.hpp"
#include "schema/module.hpp"

namespace trikal::modules::h5f {

inline constexpr auto kCounters = rows({
    {"H5F_OPENS", Unit::kCalls, Fold::kSum, "files opened or created"},
    {"H5F_FLUSHES", Unit::kCalls, Fold::kSum, "H5Fflush calls; -1 if not observed"},
    {"H5F_USE_MPIIO", Unit::kFlag, Fold::kAny, "1 if the last open went through MPI-IO; -1 if not observed"},
    kFirstStart<"H5F", "open">,
    kFirstStart<"H5F", "close">,
    kLastEnd<"H5F", "open">,
    kLastEnd<"H5F", "close">,
    kMetaTime<"H5F">,
});

inline constexpr ModuleSchema kSchema = {
    .id = 3,
    .name = "H5F",
    .prefix = "H5F",
    .version = 3,
    .shape = Shape::kFixed,
    .head_bytes = 80,
    .counters_at = 16,
    .counters = kCounters,
    .fields = {},
    .totals = false,
    .roles = roles_of("H5F", kCounters),
    .help = "HDF5 files: open, create, flush, close",
};
static_assert(slots_in(kCounters, false) == 3 && slots_in(kCounters, true) == 5);
static_assert(kSchema.counters_at + 8 * slots_in(kCounters) == kSchema.head_bytes);

}  // namespace trikal::modules::h5f
