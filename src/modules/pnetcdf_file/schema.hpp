#pragma once
// PNETCDF_FILE: Parallel netCDF files. One record a file (and rank).

#include "schema/families.hpp"
#include "schema/module.hpp"

namespace trikal::modules::pnetcdf_file {

inline constexpr auto kCounters = rows({
    {"PNETCDF_FILE_CREATES", Unit::kCalls, Fold::kSum, "files created"},
    {"PNETCDF_FILE_OPENS", Unit::kCalls, Fold::kSum, "files opened"},
    {"PNETCDF_FILE_REDEFS", Unit::kCalls, Fold::kSum, "returns to define mode"},
    {"PNETCDF_FILE_INDEP_WAITS", Unit::kCalls, Fold::kSum, "independent waits that succeeded"},
    {"PNETCDF_FILE_COLL_WAITS", Unit::kCalls, Fold::kSum, "collective waits that succeeded"},
    {"PNETCDF_FILE_SYNCS", Unit::kCalls, Fold::kSum, "ncmpi_sync calls"},
    {"PNETCDF_FILE_BYTES_READ", Unit::kBytes, Fold::kSum, "bytes the library read, its own included; -1 if unknown"},
    {"PNETCDF_FILE_BYTES_WRITTEN", Unit::kBytes, Fold::kSum,
     "bytes the library wrote, its own included; -1 if unknown"},
    {"PNETCDF_FILE_WAIT_FAILURES", Unit::kCalls, Fold::kSum, "waits that failed"},
    kFirstStart<"PNETCDF_FILE", "open">,
    kFirstStart<"PNETCDF_FILE", "close">,
    kFirstStart<"PNETCDF_FILE", "wait">,
    kLastEnd<"PNETCDF_FILE", "open">,
    kLastEnd<"PNETCDF_FILE", "close">,
    kLastEnd<"PNETCDF_FILE", "wait">,
    kMetaTime<"PNETCDF_FILE">,
    real("PNETCDF_FILE_F_WAIT_TIME", Unit::kSeconds, Fold::kSum, "time spent waiting for nonblocking requests"),
});

inline constexpr ModuleSchema kSchema = {
    .id = 5,
    .name = "PNETCDF_FILE",
    .prefix = "PNETCDF_FILE",
    .version = 3,
    .shape = Shape::kFixed,
    .head_bytes = 152,
    .counters_at = 16,
    .counters = kCounters,
    .fields = {},
    .totals = false,
    .roles = roles_of("PNETCDF_FILE", kCounters),
    .help = "Parallel netCDF files: create, open, define, wait, sync",
};
static_assert(slots_in(kCounters, false) == 9 && slots_in(kCounters, true) == 8);
static_assert(kSchema.counters_at + 8 * slots_in(kCounters) == kSchema.head_bytes);

}  // namespace trikal::modules::pnetcdf_file
