#pragma once
// H5D: HDF5 datasets. One record a dataset (and rank).

#include "schema/families.hpp"
#include "schema/module.hpp"

namespace trikal::modules::h5d {

inline constexpr auto kCounters =
    table(rows({
              {"H5D_OPENS", Unit::kCalls, Fold::kSum, "datasets opened or created"},
              {"H5D_READS", Unit::kCalls, Fold::kSum, "H5Dread calls"},
              {"H5D_WRITES", Unit::kCalls, Fold::kSum, "H5Dwrite calls"},
              {"H5D_FLUSHES", Unit::kCalls, Fold::kSum, "H5Dflush calls; -1 where HDF5 has none"},
              {"H5D_BYTES_READ", Unit::kBytes, Fold::kSum, "bytes read"},
              {"H5D_BYTES_WRITTEN", Unit::kBytes, Fold::kSum, "bytes written"},
              {"H5D_RW_SWITCHES", Unit::kCalls, Fold::kSum, "changes between reading and writing"},
              {"H5D_REGULAR_HYPERSLAB_SELECTS", Unit::kCalls, Fold::kSum,
               "accesses that select a regular hyperslab; -1 if not observed"},
              {"H5D_IRREGULAR_HYPERSLAB_SELECTS", Unit::kCalls, Fold::kSum,
               "accesses that select an irregular hyperslab; -1 if not observed"},
              {"H5D_POINT_SELECTS", Unit::kCalls, Fold::kSum, "accesses that select points"},
          }),
          longest_size_rows<"H5D">(), size_class_rows<"H5D", "_AGG">(), top_shape_rows<"H5D">(),
          rows({
              {"H5D_DATASPACE_NDIMS", Unit::kElements, Fold::kKeep, "dimensions of the dataspace"},
              {"H5D_DATASPACE_NPOINTS", Unit::kElements, Fold::kKeep, "elements in the dataspace when last opened"},
              {"H5D_DATATYPE_SIZE", Unit::kBytes, Fold::kKeep, "size of an element"},
              {"H5D_CHUNK_SIZE_D#", Unit::kElements, Fold::kKeep,
               "extent of a chunk, fastest-varying dimension first; 0 where there is none", kFiveDimensions},
              {"H5D_USE_MPIIO_COLLECTIVE", Unit::kFlag, Fold::kAny, "1 once an access was collective"},
              {"H5D_USE_DEPRECATED", Unit::kFlag, Fold::kAny, "1 if the last open used a deprecated call"},
          }),
          extreme_rank_rows<"H5D">(), io_time_rows<"H5D">(), extreme_time_rows<"H5D">(), variance_rows<"H5D">());

inline constexpr Field kFields[] = {
    {"file_rec_id", Field::Type::kU64, 16, 8, "record id of the file the dataset is in; 0 if the log does not say",
     "H5D_FILE_REC_ID"},
};

inline constexpr ModuleSchema kSchema = {
    .id = 4,
    .name = "H5D",
    .prefix = "H5D",
    .version = 2,
    .shape = Shape::kFixed,
    .head_bytes = 912,
    .counters_at = 24,
    .counters = kCounters,
    .fields = kFields,
    .totals = false,
    .roles = roles_of("H5D", kCounters),
    .help = "HDF5 datasets: reads, writes, selections, shapes of accesses, chunks",
};
static_assert(slots_in(kCounters, false) == 94 && slots_in(kCounters, true) == 17);
static_assert(kSchema.counters_at + 8 * slots_in(kCounters) == kSchema.head_bytes);
static_assert(has_volume_and_time(kSchema.roles));
static_assert(kSchema.counters_at + 8 * slot_of(kCounters, "H5D_ACCESS#") == 280);
static_assert(kSchema.counters_at + 8 * slot_of(kCounters, "H5D_CHUNK_SIZE_D#") == 688);

}  // namespace trikal::modules::h5d
