#pragma once
// APMPI: MPI calls, how many, how large, how long (AutoPerf). One header record a log, one perf record a rank.
// The counters below are the perf record's; the header's fields are named here too. Never folded over ranks.

#include "modules/autoperf/kinds.hpp"

namespace trikal::modules::apmpi {

inline constexpr std::int64_t kMagic = 280520118345;  // "APMPI" in five bytes

// The header record.
inline constexpr std::uint32_t kHeaderBytes = 48;
inline constexpr std::uint32_t kSyncFlagAt = 24;  // 32 bits, then padding; 0: the sync times mean nothing
inline constexpr std::uint32_t kVarianceTimeAt = 32;
inline constexpr std::uint32_t kVarianceSyncTimeAt = 40;

// The perf record.
inline constexpr std::uint32_t kPerfBytes = 5232;
inline constexpr std::uint32_t kCountersAt = 16;
inline constexpr std::uint32_t kNodeNameAt = 5104;
inline constexpr std::uint32_t kNodeNameBytes = 128;
inline constexpr Field kFields[] = {
    {"node_name", Field::Type::kText, kNodeNameAt, kNodeNameBytes, "the node the rank ran on, as MPI names it"},
};

struct Operation {
  std::string_view name;
  bool sized;  // moves messages, so bytes and sizes are counted too
};
inline constexpr Operation kOperations[] = {
    {"MPI_SEND", true},
    {"MPI_SSEND", true},
    {"MPI_RSEND", true},
    {"MPI_BSEND", true},
    {"MPI_RECV", true},
    {"MPI_SENDRECV", true},
    {"MPI_SENDRECV_REPLACE", true},
    {"MPI_ISEND", true},
    {"MPI_ISSEND", true},
    {"MPI_IRSEND", true},
    {"MPI_IBSEND", true},
    {"MPI_IRECV", true},
    {"MPI_PROBE", false},
    {"MPI_IPROBE", false},
    {"MPI_TEST", false},
    {"MPI_TESTANY", false},
    {"MPI_TESTALL", false},
    {"MPI_TESTSOME", false},
    {"MPI_WAIT", false},
    {"MPI_WAITANY", false},
    {"MPI_WAITALL", false},
    {"MPI_WAITSOME", false},
    {"MPI_BARRIER", false},
    {"MPI_IBARRIER", false},
    {"MPI_BCAST", true},
    {"MPI_GATHER", true},
    {"MPI_GATHERV", true},
    {"MPI_SCATTER", true},
    {"MPI_SCATTERV", true},
    {"MPI_SCAN", true},
    {"MPI_EXSCAN", true},
    {"MPI_ALLGATHER", true},
    {"MPI_ALLGATHERV", true},
    {"MPI_REDUCE", true},
    {"MPI_ALLREDUCE", true},
    {"MPI_REDUCE_SCATTER", true},
    {"MPI_ALLTOALL", true},
    {"MPI_ALLTOALLV", true},
    {"MPI_ALLTOALLW", true},
    {"MPI_IBCAST", true},
    {"MPI_IGATHER", true},
    {"MPI_IGATHERV", true},
    {"MPI_ISCATTER", true},
    {"MPI_ISCATTERV", true},
    {"MPI_ISCAN", true},
    {"MPI_IEXSCAN", true},
    {"MPI_IALLGATHER", true},
    {"MPI_IALLGATHERV", true},
    {"MPI_IREDUCE", true},
    {"MPI_IALLREDUCE", true},
    {"MPI_IREDUCE_SCATTER", true},
    {"MPI_IALLTOALL", true},
    {"MPI_IALLTOALLV", true},
    {"MPI_IALLTOALLW", true},
    {"MPI_PUT", true},
    {"MPI_GET", true},
    {"MPI_ACCUMULATE", true},
    {"MPI_GET_ACCUMULATE", true},
    {"MPI_FETCH_AND_OP", false},
    {"MPI_COMPARE_AND_SWAP", false},
    {"MPI_WIN_FENCE", false},
    {"MPI_WIN_START", false},
    {"MPI_WIN_COMPLETE", false},
    {"MPI_WIN_POST", false},
    {"MPI_WIN_WAIT", false},
    {"MPI_WIN_TEST", false},
    {"MPI_WIN_LOCK", false},
    {"MPI_WIN_UNLOCK", false},
    {"MPI_WIN_UNLOCK_ALL", false},
    {"MPI_WIN_FLUSH", false},
    {"MPI_WIN_FLUSH_ALL", false},
    {"MPI_WIN_FLUSH_LOCAL", false},
    {"MPI_WIN_FLUSH_LOCAL_ALL", false},
    {"MPI_WIN_SYNC", false},
};
inline constexpr std::size_t kOperationCount = std::size(kOperations);

inline constexpr std::array<std::string_view, 6> kMessageSizes = {"0_256",   "256_1K",  "1K_8K",
                                                                  "8K_256K", "256K_1M", "1M_PLUS"};
inline constexpr std::array<std::string_view, 3> kTimes = {"TOTAL", "MIN", "MAX"};
inline constexpr std::array<std::string_view, 16> kSynchronised = {
    "BARRIER",   "BCAST",      "GATHER", "GATHERV",   "SCATTER",        "SCATTERV", "SCAN",      "EXSCAN",
    "ALLGATHER", "ALLGATHERV", "REDUCE", "ALLREDUCE", "REDUCE_SCATTER", "ALLTOALL", "ALLTOALLV", "ALLTOALLW"};

// The four names an operation can have.
struct Names {
  autoperf::MadeName calls, bytes, sizes, times;
};
inline constexpr auto kNames = [] {
  std::array<Names, kOperationCount> names{};
  for (std::size_t i = 0; i < kOperationCount; ++i) {
    names[i].calls.add(kOperations[i].name).add("_CALL_COUNT");
    names[i].bytes.add(kOperations[i].name).add("_TOTAL_BYTES");
    names[i].sizes.add(kOperations[i].name).add("_MSG_SIZE_AGG_#");
    names[i].times.add(kOperations[i].name).add("_#_TIME");
  }
  return names;
}();

inline constexpr std::size_t kRows = [] {
  std::size_t rows = 3;  // the synchronised operations, and two that stand for the whole rank
  for (const Operation& operation : kOperations) rows += operation.sized ? 4 : 2;
  return rows;
}();

inline constexpr auto kCounters = [] {
  constexpr Fold kAlone = Fold::kKeep;
  std::array<Counter, kRows> table{};
  std::size_t row = 0;
  for (std::size_t i = 0; i < kOperationCount; ++i) {
    table[row++] = {kNames[i].calls.view(), Unit::kCalls, kAlone, "successful calls", {}, Kind::kUint};
    if (!kOperations[i].sized) continue;
    table[row++] = {kNames[i].bytes.view(), Unit::kBytes, kAlone, "bytes in all those calls", {}, Kind::kUint};
    table[row++] = {kNames[i].sizes.view(), Unit::kCalls, kAlone, "calls with a message of a size in this class",
                    kMessageSizes,          Kind::kUint};
  }
  for (std::size_t i = 0; i < kOperationCount; ++i) {
    table[row++] = {kNames[i].times.view(),
                    Unit::kSeconds,
                    kAlone,
                    "time in such calls: all, the shortest, the longest",
                    kTimes,
                    Kind::kReal};
  }
  table[row++] = {
      "MPI_#_TOTAL_SYNC_TIME", Unit::kSeconds, kAlone, "time spent waiting for the others before such calls",
      kSynchronised,           Kind::kReal};
  table[row++] =
      real("MPI_TOTAL_COMM_TIME", Unit::kSeconds, kAlone, "time in all MPI calls and in waiting before them");
  table[row++] = real("MPI_TOTAL_COMM_SYNC_TIME", Unit::kSeconds, kAlone, "time in waiting before MPI calls");
  return table;
}();

inline constexpr ModuleSchema kSchema = {
    .id = 14,
    .name = "APMPI",
    .prefix = "MPI",
    .version = 1,
    .shape = Shape::kWhole,
    .head_bytes = autoperf::kHeadBytes,
    .counters_at = kCountersAt,
    .counters = kCounters,
    .fields = kFields,
    .totals = false,
    .roles = {},
    .help = "MPI communication of each rank: calls, message sizes and times",
};
static_assert(kOperationCount == 74);
static_assert(slots_in(kCounters, false) == 396 && slots_in(kCounters, true) == 222 + 16 + 2);
static_assert(kCountersAt + 8 * slots_in(kCounters) == kNodeNameAt && kNodeNameAt + kNodeNameBytes == kPerfBytes);
static_assert(slot_of(kCounters, "MPI_BCAST_CALL_COUNT") == 108 && slot_of(kCounters, "MPI_IBCAST_CALL_COUNT") == 228);
static_assert(slot_of(kCounters, "MPI_PUT_CALL_COUNT") == 348 && slot_of(kCounters, "MPI_WIN_SYNC_CALL_COUNT") == 395);
static_assert(slot_of(kCounters, "MPI_WIN_SYNC_#_TIME") == 396 + 219);

}  // namespace trikal::modules::apmpi
