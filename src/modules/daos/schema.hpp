#pragma once
// DAOS: objects, arrays and key-value stores of DAOS. One record an object (and rank).

#include "schema/families.hpp"
#include "schema/module.hpp"

namespace trikal::modules::daos {

inline constexpr auto kCounters =
    table(rows({
              {"DAOS_OBJ_OPENS", Unit::kCalls, Fold::kSumClamped, "objects opened"},
              {"DAOS_OBJ_FETCHES", Unit::kCalls, Fold::kSumClamped, "reads from an object"},
              {"DAOS_OBJ_UPDATES", Unit::kCalls, Fold::kSumClamped, "writes to an object"},
              {"DAOS_OBJ_PUNCHES", Unit::kCalls, Fold::kSumClamped, "objects punched"},
              {"DAOS_OBJ_DKEY_PUNCHES", Unit::kCalls, Fold::kSumClamped, "distribution keys punched"},
              {"DAOS_OBJ_AKEY_PUNCHES", Unit::kCalls, Fold::kSumClamped, "attribute keys punched"},
              {"DAOS_OBJ_DKEY_LISTS", Unit::kCalls, Fold::kSumClamped, "listings of distribution keys"},
              {"DAOS_OBJ_AKEY_LISTS", Unit::kCalls, Fold::kSumClamped, "listings of attribute keys"},
              {"DAOS_OBJ_RECX_LISTS", Unit::kCalls, Fold::kSumClamped, "listings of record extents"},
              {"DAOS_ARRAY_OPENS", Unit::kCalls, Fold::kSumClamped, "arrays opened or created"},
              {"DAOS_ARRAY_READS", Unit::kCalls, Fold::kSumClamped, "array reads"},
              {"DAOS_ARRAY_WRITES", Unit::kCalls, Fold::kSumClamped, "array writes"},
              {"DAOS_ARRAY_GET_SIZES", Unit::kCalls, Fold::kSumClamped, "questions for an array's size"},
              {"DAOS_ARRAY_SET_SIZES", Unit::kCalls, Fold::kSumClamped, "changes of an array's size"},
              {"DAOS_ARRAY_STATS", Unit::kCalls, Fold::kSumClamped, "questions for an array's attributes"},
              {"DAOS_ARRAY_PUNCHES", Unit::kCalls, Fold::kSumClamped, "ranges punched out of an array"},
              {"DAOS_ARRAY_DESTROYS", Unit::kCalls, Fold::kSumClamped, "arrays destroyed"},
              {"DAOS_KV_OPENS", Unit::kCalls, Fold::kSumClamped, "key-value stores opened"},
              {"DAOS_KV_GETS", Unit::kCalls, Fold::kSumClamped, "gets from a key-value store"},
              {"DAOS_KV_PUTS", Unit::kCalls, Fold::kSumClamped, "puts to a key-value store"},
              {"DAOS_KV_REMOVES", Unit::kCalls, Fold::kSumClamped, "keys removed"},
              {"DAOS_KV_LISTS", Unit::kCalls, Fold::kSumClamped, "listings of keys"},
              {"DAOS_KV_DESTROYS", Unit::kCalls, Fold::kSumClamped, "key-value stores destroyed"},
              {"DAOS_NB_OPS", Unit::kCalls, Fold::kSumClamped, "operations of any kind that did not block"},
              {"DAOS_BYTES_READ", Unit::kBytes, Fold::kSum, "bytes read"},
              {"DAOS_BYTES_WRITTEN", Unit::kBytes, Fold::kSum, "bytes written"},
              {"DAOS_RW_SWITCHES", Unit::kCalls, Fold::kSum, "changes between reading and writing"},
          }),
          longest_size_rows<"DAOS">(), size_class_rows<"DAOS">(), top_access_rows<"DAOS">(),
          rows({
              {"DAOS_OBJ_OTYPE", Unit::kMode, Fold::kKeep, "the object's type, as its id says"},
              {"DAOS_ARRAY_CELL_SIZE", Unit::kBytes, Fold::kKeep, "size of an array's cell"},
              {"DAOS_ARRAY_CHUNK_SIZE", Unit::kElements, Fold::kKeep, "an array's chunk size"},
          }),
          extreme_rank_rows<"DAOS">(), io_time_rows<"DAOS">(), extreme_time_rows<"DAOS">());

inline constexpr std::uint16_t kPoolUuidAt = 648;
inline constexpr std::uint16_t kContUuidAt = 664;
inline constexpr std::uint16_t kOidHighAt = 680;
inline constexpr std::uint16_t kOidLowAt = 688;
inline constexpr Field kFields[] = {
    {"pool_uuid", Field::Type::kUuid, kPoolUuidAt, 16, "the DAOS pool"},
    {"cont_uuid", Field::Type::kUuid, kContUuidAt, 16, "the container in that pool"},
    {"oid_hi", Field::Type::kU64, kOidHighAt, 8, "upper half of the object's id"},
    {"oid_lo", Field::Type::kU64, kOidLowAt, 8, "lower half of the object's id"},
};

inline constexpr ModuleSchema kSchema = {
    .id = 17,
    .name = "DAOS",
    .prefix = "DAOS",
    .version = 1,
    .shape = Shape::kFixed,
    .head_bytes = 696,
    .counters_at = 16,
    .counters = kCounters,
    .fields = kFields,
    .totals = true,
    .roles = roles_of("DAOS", kCounters),
    .help = "DAOS objects, arrays and key-value stores",
};
static_assert(slots_in(kCounters, false) == 64 && slots_in(kCounters, true) == 15);
static_assert(kSchema.counters_at + 8 * slots_in(kCounters) == kPoolUuidAt && kOidLowAt + 8 == kSchema.head_bytes);
static_assert(has_volume_and_time(kSchema.roles));

}  // namespace trikal::modules::daos
