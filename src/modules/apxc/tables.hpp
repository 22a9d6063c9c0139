#pragma once
// The header record has a table of its own; the module's table has the perf records.

#include "modules/apxc/schema.hpp"
#include "schema/table.hpp"

namespace trikal::modules::apxc {

inline constexpr TableColumn kHeaderColumns[] = {
    {"APXC_NBLADES", CellType::kI64, Unit::kNone, "blades the job ran on"},
    {"APXC_NCHASSIS", CellType::kI64, Unit::kNone, "chassis the job ran on"},
    {"APXC_NGROUPS", CellType::kI64, Unit::kNone, "groups the job ran on"},
    {"APXC_MEMORY_MODE", CellType::kI64, Unit::kMode,
     "0 unknown, 1 flat, 2 equal, 3 split, 4 cache; bit 31: nodes differ"},
    {"APXC_CLUSTER_MODE", CellType::kI64, Unit::kMode,
     "0 unknown, 1 all2all, 2 quad, 3 hemi, 4 snc4, 5 snc2; bit 31: nodes differ"},
    {"APXC_APPID", CellType::kU64, Unit::kId, "the application's number on the machine"},
};
static_assert(kBladesAt + 8 * std::size(kHeaderColumns) == kHeaderBytes && kAppIdAt + 8 == kHeaderBytes);

inline bool is_perf(Bytes record) { return !autoperf::is_header<kMagic>(record.data()); }

inline std::uint64_t header_rows(const RecordPart& part) { return is_perf(part.record) ? 0 : 1; }

inline void fill_header(const RecordPart& part, std::uint64_t /*first*/, RowBlock& rows) {
  for (std::size_t i = 0; i < std::size(kHeaderColumns); ++i) {
    *rows.words(i) = load<std::uint64_t>(part.record.data() + kBladesAt + 8 * i);
  }
}

inline constexpr ItemTable kItemTables[] = {
    {"header", TableRole::kItems, "the part of the machine the job ran on", kHeaderColumns, header_rows, fill_header},
};
inline constexpr ModuleTables kTables = {.described = is_perf, .items = kItemTables};

}  // namespace trikal::modules::apxc
