#pragma once
// DFS: the POSIX-like file system of DAOS. One record a file (and rank).

#include "schema/families.hpp"
#include "schema/module.hpp"

namespace trikal::modules::dfs {

inline constexpr auto kCounters =
    table(rows({
              {"DFS_OPENS", Unit::kCalls, Fold::kSumClamped, "files opened or created"},
              {"DFS_GLOBAL_OPENS", Unit::kCalls, Fold::kSumClamped, "handles taken over from another process"},
              {"DFS_LOOKUPS", Unit::kCalls, Fold::kSumClamped, "lookups of a path"},
              {"DFS_DUPS", Unit::kCalls, Fold::kSumClamped, "handles duplicated"},
              {"DFS_READS", Unit::kCalls, Fold::kSumClamped, "reads of one range"},
              {"DFS_READXS", Unit::kCalls, Fold::kSumClamped, "reads of a list of ranges"},
              {"DFS_WRITES", Unit::kCalls, Fold::kSumClamped, "writes of one range"},
              {"DFS_WRITEXS", Unit::kCalls, Fold::kSumClamped, "writes of a list of ranges"},
              {"DFS_NB_READS", Unit::kCalls, Fold::kSumClamped, "reads of either kind that did not block"},
              {"DFS_NB_WRITES", Unit::kCalls, Fold::kSumClamped, "writes of either kind that did not block"},
              {"DFS_GET_SIZES", Unit::kCalls, Fold::kSumClamped, "questions for the size"},
              {"DFS_PUNCHES", Unit::kCalls, Fold::kSumClamped, "truncations and holes made"},
              {"DFS_REMOVES", Unit::kCalls, Fold::kSumClamped, "removals"},
              {"DFS_STATS", Unit::kCalls, Fold::kSumClamped, "attributes asked for or set"},
              {"DFS_BYTES_READ", Unit::kBytes, Fold::kSum, "bytes read"},
              {"DFS_BYTES_WRITTEN", Unit::kBytes, Fold::kSum, "bytes written"},
              {"DFS_RW_SWITCHES", Unit::kCalls, Fold::kSum, "changes between reading and writing"},
          }),
          longest_size_rows<"DFS">(), size_class_rows<"DFS">(), top_access_rows<"DFS">(),
          rows({{"DFS_CHUNK_SIZE", Unit::kBytes, Fold::kKeep, "the file's chunk size"}}), extreme_rank_rows<"DFS">(),
          io_time_rows<"DFS">(), extreme_time_rows<"DFS">());

inline constexpr std::uint16_t kPoolUuidAt = 552;
inline constexpr std::uint16_t kContUuidAt = 568;
inline constexpr Field kFields[] = {
    {"pool_uuid", Field::Type::kUuid, kPoolUuidAt, 16, "the DAOS pool"},
    {"cont_uuid", Field::Type::kUuid, kContUuidAt, 16, "the container in that pool"},
};

inline constexpr ModuleSchema kSchema = {
    .id = 16,
    .name = "DFS",
    .prefix = "DFS",
    .version = 1,
    .shape = Shape::kFixed,
    .head_bytes = 584,
    .counters_at = 16,
    .counters = kCounters,
    .fields = kFields,
    .totals = true,
    .roles = roles_of("DFS", kCounters),
    .help = "files in DAOS through its file system layer",
};
static_assert(slots_in(kCounters, false) == 52 && slots_in(kCounters, true) == 15);
static_assert(kSchema.counters_at + 8 * slots_in(kCounters) == kPoolUuidAt && kContUuidAt + 16 == kSchema.head_bytes);
static_assert(has_volume_and_time(kSchema.roles));

}  // namespace trikal::modules::dfs
