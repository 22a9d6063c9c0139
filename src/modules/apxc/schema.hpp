#pragma once
// APXC: network counters of a Cray XC's routers (AutoPerf). One header record a log, one perf record a router.
// The counters below are the perf record's; the header's fields are named here too.

#include "modules/autoperf/kinds.hpp"

namespace trikal::modules::apxc {

inline constexpr std::int64_t kMagic = 0x4155544F50455246;  // "AUTOPERF"

// The header record.
inline constexpr std::uint32_t kHeaderBytes = 72;
inline constexpr std::uint32_t kBladesAt = 24;
inline constexpr std::uint32_t kChassisCountAt = 32;
inline constexpr std::uint32_t kGroupsAt = 40;
inline constexpr std::uint32_t kMemoryModeAt = 48;   // 0 unknown, 1 flat, 2 equal, 3 split, 4 cache
inline constexpr std::uint32_t kClusterModeAt = 56;  // 0 unknown, 1 all2all, 2 quad, 3 hemi, 4 snc4, 5 snc2
inline constexpr std::uint32_t kAppIdAt = 64;
inline constexpr std::int64_t kModeVaries = std::int64_t{1} << 31;  // set in a mode that nodes do not agree on

// The perf record.
inline constexpr std::uint32_t kPerfBytes = 3184;
inline constexpr std::uint32_t kCountersAt = 48;
inline constexpr Field kFields[] = {
    {"group", Field::Type::kI64, 16, 8, "group the router is in"},
    {"chassis", Field::Type::kI64, 24, 8, "chassis in the group"},
    {"blade", Field::Type::kI64, 32, 8, "blade in the chassis"},
    {"node", Field::Type::kI64, 40, 8, "node on the blade"},
};

// 40 network tiles in five rows, then a sixth row of eight processor tiles.
inline constexpr std::size_t kTileRows = 5;
inline constexpr std::size_t kTileColumns = 8;
inline constexpr std::array<std::string_view, 9> kNetworkTile = {
    "INCOMING_FLIT_VC0", "INCOMING_FLIT_VC1", "INCOMING_FLIT_VC2", "INCOMING_FLIT_VC3", "INCOMING_FLIT_VC4",
    "INCOMING_FLIT_VC5", "INCOMING_FLIT_VC6", "INCOMING_FLIT_VC7", "ROWBUS_STALL_CNT"};
inline constexpr std::array<std::string_view, 4> kProcessorTile = {"INCOMING_FLIT_VC0", "INCOMING_FLIT_VC4",
                                                                   "REQ_ROWBUS_STALL_CNT", "RSP_ROWBUS_STALL_CNT"};

inline constexpr auto kNames = [] {
  std::array<autoperf::MadeName, (kTileRows + 1) * kTileColumns> names{};
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::size_t row = i / kTileColumns;
    names[i].add(row < kTileRows ? "AR_RTR_" : "AR_RTR_PT_").add_digit(row).add("_").add_digit(i % kTileColumns);
    names[i].add("_INQ_PRF_#");
  }
  return names;
}();

inline constexpr auto kCounters = [] {
  std::array<Counter, kNames.size()> table{};
  for (std::size_t i = 0; i < table.size(); ++i) {
    const bool network = i < kTileRows * kTileColumns;
    table[i] = {kNames[i].view(),
                Unit::kNone,
                Fold::kKeep,
                network ? "flits into this network tile on each virtual channel, and stalls of its row bus"
                        : "flits into this processor tile on two virtual channels, and stalls of its row bus",
                {},
                Kind::kUint};
    if (network) table[i].labels = kNetworkTile;
    else table[i].labels = kProcessorTile;
  }
  return table;
}();

inline constexpr ModuleSchema kSchema = {
    .id = 13,
    .name = "APXC",
    .prefix = "AR_RTR",
    .version = 1,
    .shape = Shape::kWhole,
    .head_bytes = autoperf::kHeadBytes,
    .counters_at = kCountersAt,
    .counters = kCounters,
    .fields = kFields,
    .totals = false,
    .roles = {},
    .help = "traffic and stalls in the routers of a Cray XC network",
};
static_assert(slots_in(kCounters) == 392);
static_assert(kCountersAt + 8 * slots_in(kCounters) == kPerfBytes);
static_assert(slot_of(kCounters, "AR_RTR_4_7_INQ_PRF_#") == 351 &&
              slot_of(kCounters, "AR_RTR_PT_5_0_INQ_PRF_#") == 360);

}  // namespace trikal::modules::apxc
