#pragma once
// BG/Q: the shape of a Blue Gene/Q partition. One record a job (and rank).

#include "schema/module.hpp"

namespace trikal::modules::bgq {

inline constexpr Counter kCounters[] = {
    {"BGQ_CSJOBID", Unit::kNone, Fold::kKeep, "job number of the control system"},
    {"BGQ_NNODES", Unit::kNone, Fold::kKeep, "compute nodes"},
    {"BGQ_RANKSPERNODE", Unit::kNone, Fold::kKeep, "ranks on a node"},
    {"BGQ_DDRPERNODE", Unit::kNone, Fold::kKeep, "megabytes of memory in a node"},
    {"BGQ_INODES", Unit::kNone, Fold::kDistinct, "different I/O nodes; in a rank's own record the id of its own"},
    {"BGQ_ANODES", Unit::kNone, Fold::kKeep, "nodes along axis A of the torus"},
    {"BGQ_BNODES", Unit::kNone, Fold::kKeep, "nodes along axis B of the torus"},
    {"BGQ_CNODES", Unit::kNone, Fold::kKeep, "nodes along axis C of the torus"},
    {"BGQ_DNODES", Unit::kNone, Fold::kKeep, "nodes along axis D of the torus"},
    {"BGQ_ENODES", Unit::kNone, Fold::kKeep, "nodes along axis E of the torus"},
    {"BGQ_TORUSENABLED", Unit::kMode, Fold::kKeep, "axes that wrap around, a bit each from A up"},
    real("BGQ_F_TIMESTAMP", Unit::kTimestamp, Fold::kKeep, "when this was looked up"),
};

inline constexpr ModuleSchema kSchema = {
    .id = 7,
    .name = "BG/Q",
    .prefix = "BGQ",
    .version = 2,
    .shape = Shape::kFixed,
    .head_bytes = 112,
    .counters_at = 16,
    .counters = kCounters,
    .fields = {},
    .totals = false,
    .roles = {},
    .help = "the partition of a Blue Gene/Q that the job ran on",
};
static_assert(slots_in(kCounters, false) == 11 && slots_in(kCounters, true) == 1);
static_assert(kSchema.counters_at + 8 * slots_in(kCounters) == kSchema.head_bytes);

}  // namespace trikal::modules::bgq
