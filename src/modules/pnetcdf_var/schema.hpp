#pragma once
// PNETCDF_VAR: Parallel netCDF variables. One record a variable (and rank).

#include "schema/families.hpp"
#include "schema/module.hpp"

namespace trikal::modules::pnetcdf_var {

// The access routines by what they take: whole variable, one element, subarray, strided, mapped, lists of
// subarrays, an MPI type. The nonblocking ones have no VARD.
inline constexpr std::array<std::string_view, 7> kRoutines = {"VAR", "VAR1", "VARA", "VARS", "VARM", "VARN", "VARD"};
inline constexpr std::span<const std::string_view> kNonblocking{kRoutines.data(), 6};

inline constexpr auto kCounters = table(
    rows({
        {"PNETCDF_VAR_OPENS", Unit::kCalls, Fold::kSum, "variables defined or looked up"},
        {"PNETCDF_VAR_INDEP_READS", Unit::kCalls, Fold::kSum, "blocking independent reads"},
        {"PNETCDF_VAR_INDEP_WRITES", Unit::kCalls, Fold::kSum, "blocking independent writes"},
        {"PNETCDF_VAR_COLL_READS", Unit::kCalls, Fold::kSum, "collective reads"},
        {"PNETCDF_VAR_COLL_WRITES", Unit::kCalls, Fold::kSum, "collective writes"},
        {"PNETCDF_VAR_NB_READS", Unit::kCalls, Fold::kSum, "nonblocking reads"},
        {"PNETCDF_VAR_NB_WRITES", Unit::kCalls, Fold::kSum, "nonblocking writes, buffered ones included"},
        {"PNETCDF_VAR_BYTES_READ", Unit::kBytes, Fold::kSum, "bytes read"},
        {"PNETCDF_VAR_BYTES_WRITTEN", Unit::kBytes, Fold::kSum, "bytes written"},
        {"PNETCDF_VAR_RW_SWITCHES", Unit::kCalls, Fold::kSum, "changes between reading and writing"},
        {"PNETCDF_VAR_PUT_#", Unit::kCalls, Fold::kSum, "blocking writes by this kind of routine", kRoutines},
        {"PNETCDF_VAR_GET_#", Unit::kCalls, Fold::kSum, "blocking reads by this kind of routine", kRoutines},
        {"PNETCDF_VAR_IPUT_#", Unit::kCalls, Fold::kSum, "nonblocking writes by this kind of routine", kNonblocking},
        {"PNETCDF_VAR_IGET_#", Unit::kCalls, Fold::kSum, "nonblocking reads by this kind of routine", kNonblocking},
        {"PNETCDF_VAR_BPUT_#", Unit::kCalls, Fold::kSum, "buffered writes by this kind of routine", kNonblocking},
    }),
    longest_size_rows<"PNETCDF_VAR">(), size_class_rows<"PNETCDF_VAR", "_AGG">(), top_shape_rows<"PNETCDF_VAR">(),
    rows({
        {"PNETCDF_VAR_NDIMS", Unit::kElements, Fold::kKeep, "dimensions of the variable"},
        {"PNETCDF_VAR_NPOINTS", Unit::kElements, Fold::kKeep, "elements, the record dimension left out"},
        {"PNETCDF_VAR_DATATYPE_SIZE", Unit::kBytes, Fold::kKeep, "size of an element in the file"},
        {"PNETCDF_VAR_IS_RECORD_VAR", Unit::kFlag, Fold::kAny, "1 if the first dimension is unlimited"},
    }),
    extreme_rank_rows<"PNETCDF_VAR">(), io_time_rows<"PNETCDF_VAR">(), extreme_time_rows<"PNETCDF_VAR">(),
    variance_rows<"PNETCDF_VAR">());

inline constexpr Field kFields[] = {
    {"file_rec_id", Field::Type::kU64, 16, 8, "record id of the file the variable is in", "PNETCDF_VAR_FILE_REC_ID"},
};

inline constexpr ModuleSchema kSchema = {
    .id = 6,
    .name = "PNETCDF_VAR",
    .prefix = "PNETCDF_VAR",
    .version = 1,
    .shape = Shape::kFixed,
    .head_bytes = 1120,
    .counters_at = 24,
    .counters = kCounters,
    .fields = kFields,
    .totals = false,
    .roles = roles_of("PNETCDF_VAR", kCounters),
    .help = "Parallel netCDF variables: reads, writes, routines used, shapes of accesses",
};
static_assert(slots_in(kCounters, false) == 120 && slots_in(kCounters, true) == 17);
static_assert(kSchema.counters_at + 8 * slots_in(kCounters) == kSchema.head_bytes);
static_assert(has_volume_and_time(kSchema.roles));
static_assert(kSchema.counters_at + 8 * slot_of(kCounters, "PNETCDF_VAR_ACCESS#") == 536);

}  // namespace trikal::modules::pnetcdf_var
