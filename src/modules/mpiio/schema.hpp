#pragma once
// MPI-IO: MPI_File_* calls. One record a file (and rank).

#include "schema/families.hpp"
#include "schema/module.hpp"

namespace trikal::modules::mpiio {

inline constexpr auto kCounters = table(
    rows({
        {"MPIIO_INDEP_OPENS", Unit::kCalls, Fold::kSum, "opens by one process alone"},
        {"MPIIO_COLL_OPENS", Unit::kCalls, Fold::kSum, "opens by several processes together"},
        {"MPIIO_INDEP_READS", Unit::kCalls, Fold::kSum, "independent reads"},
        {"MPIIO_INDEP_WRITES", Unit::kCalls, Fold::kSum, "independent writes"},
        {"MPIIO_COLL_READS", Unit::kCalls, Fold::kSum, "collective reads"},
        {"MPIIO_COLL_WRITES", Unit::kCalls, Fold::kSum, "collective writes"},
        {"MPIIO_SPLIT_READS", Unit::kCalls, Fold::kSum, "split-collective reads begun"},
        {"MPIIO_SPLIT_WRITES", Unit::kCalls, Fold::kSum, "split-collective writes begun"},
        {"MPIIO_NB_READS", Unit::kCalls, Fold::kSum, "nonblocking reads"},
        {"MPIIO_NB_WRITES", Unit::kCalls, Fold::kSum, "nonblocking writes"},
        {"MPIIO_SYNCS", Unit::kCalls, Fold::kSum, "MPI_File_sync calls"},
        {"MPIIO_HINTS", Unit::kCalls, Fold::kSum, "opens and views that were given hints"},
        {"MPIIO_VIEWS", Unit::kCalls, Fold::kSum, "file views set"},
        {"MPIIO_MODE", Unit::kMode, Fold::kKeep, "access mode of the last open"},
        {"MPIIO_BYTES_READ", Unit::kBytes, Fold::kSum, "bytes read"},
        {"MPIIO_BYTES_WRITTEN", Unit::kBytes, Fold::kSum, "bytes written"},
        {"MPIIO_RW_SWITCHES", Unit::kCalls, Fold::kSum, "changes between reading and writing"},
    }),
    longest_size_rows<"MPIIO">(), size_class_rows<"MPIIO", "_AGG">(), top_access_rows<"MPIIO">(),
    extreme_rank_rows<"MPIIO">(), io_time_rows<"MPIIO">(), extreme_time_rows<"MPIIO">(), variance_rows<"MPIIO">());

inline constexpr ModuleSchema kSchema = {
    .id = 2,
    .name = "MPI-IO",
    .prefix = "MPIIO",
    .version = 3,
    .shape = Shape::kFixed,
    .head_bytes = 560,
    .counters_at = 16,
    .counters = kCounters,
    .fields = {},
    .totals = true,
    .roles = roles_of("MPIIO", kCounters),
    .help = "files through MPI: independent, collective, split and nonblocking reads and writes",
};
static_assert(slots_in(kCounters, false) == 51 && slots_in(kCounters, true) == 17);
static_assert(kSchema.counters_at + 8 * slots_in(kCounters) == kSchema.head_bytes);
static_assert(has_volume_and_time(kSchema.roles));
static_assert(kSchema.counters_at + 8 * slot_of(kCounters, "MPIIO_ACCESS#_ACCESS") == 328);
static_assert(kSchema.counters_at + 8 * slot_of(kCounters, "MPIIO_F_OPEN_START_TIMESTAMP") == 424);

}  // namespace trikal::modules::mpiio
