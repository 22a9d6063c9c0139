#pragma once
// The header record has a table of its own; the module's table has the perf records.

#include "modules/apmpi/schema.hpp"
#include "schema/table.hpp"

namespace trikal::modules::apmpi {

inline constexpr TableColumn kHeaderColumns[] = {
    {"sync_flag", CellType::kI64, Unit::kFlag, "0: the times of waiting for others were not measured"},
    {"MPI_TOTAL_COMM_TIME_VARIANCE", CellType::kF64, Unit::kNone, "variance over ranks of the time in MPI"},
    {"MPI_TOTAL_COMM_SYNC_TIME_VARIANCE", CellType::kF64, Unit::kNone,
     "variance over ranks of the time spent waiting before MPI calls"},
};

inline bool is_perf(Bytes record) { return !autoperf::is_header<kMagic>(record.data()); }

inline std::uint64_t header_rows(const RecordPart& part) { return is_perf(part.record) ? 0 : 1; }

inline void fill_header(const RecordPart& part, std::uint64_t /*first*/, RowBlock& rows) {
  *rows.words(0) = load<std::uint32_t>(part.record.data() + kSyncFlagAt);
  *rows.words(1) = load<std::uint64_t>(part.record.data() + kVarianceTimeAt);
  *rows.words(2) = load<std::uint64_t>(part.record.data() + kVarianceSyncTimeAt);
}

inline constexpr ItemTable kItemTables[] = {
    {"header", TableRole::kItems, "what holds for all ranks", kHeaderColumns, header_rows, fill_header},
};
inline constexpr ModuleTables kTables = {.described = is_perf, .items = kItemTables};

}  // namespace trikal::modules::apmpi
