#include "modules/list.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <functional>

#include "modules/apmpi/format.hpp"
#include "modules/apmpi/record_view.hpp"
#include "modules/apmpi/tables.hpp"
#include "modules/apxc/format.hpp"
#include "modules/apxc/record_view.hpp"
#include "modules/apxc/tables.hpp"
#include "modules/bgq/format.hpp"
#include "modules/bgq/record_view.hpp"
#include "modules/daos/format.hpp"
#include "modules/daos/record_view.hpp"
#include "modules/dfs/format.hpp"
#include "modules/dfs/record_view.hpp"
#include "modules/dxt/tables.hpp"
#include "modules/dxt_mpiio/format.hpp"
#include "modules/dxt_posix/format.hpp"
#include "modules/h5d/format.hpp"
#include "modules/h5f/format.hpp"
#include "modules/heatmap/format.hpp"
#include "modules/heatmap/record_view.hpp"
#include "modules/heatmap/tables.hpp"
#include "modules/lustre/format.hpp"
#include "modules/lustre/record_view.hpp"
#include "modules/lustre/tables.hpp"
#include "modules/mdhim/format.hpp"
#include "modules/mdhim/record_view.hpp"
#include "modules/mdhim/tables.hpp"
#include "modules/mpiio/format.hpp"
#include "modules/null/format.hpp"
#include "modules/null/record_view.hpp"
#include "modules/pnetcdf_file/format.hpp"
#include "modules/pnetcdf_var/format.hpp"
#include "modules/posix/format.hpp"
#include "modules/stdio/format.hpp"
#include "schema/fold.hpp"

namespace trikal {
namespace {

struct Row {
  const ModuleFormat* format;
  const RecordView* record_view = nullptr;  // for modules whose records are more than their counters in order
  const ModuleTables* tables = nullptr;  // for modules whose records hold lists, or are of two kinds
};
// In order of module id; scripts/new-module adds to it.
constexpr Row kRows[] = {
    {&modules::null::kFormat, &modules::null::kRecordView},  // 0
    {&modules::posix::kFormat},  // 1
    {&modules::mpiio::kFormat},  // 2
    {&modules::h5f::kFormat},  // 3
    {&modules::h5d::kFormat},  // 4
    {&modules::pnetcdf_file::kFormat},  // 5
    {&modules::pnetcdf_var::kFormat},  // 6
    {&modules::bgq::kFormat, &modules::bgq::kRecordView},  // 7
    {&modules::lustre::kFormat, &modules::lustre::kRecordView, &modules::lustre::kTables},  // 8
    {&modules::stdio::kFormat},  // 9
    {&modules::dxt_posix::kFormat, nullptr, &modules::dxt::kTables},  // 10
    {&modules::dxt_mpiio::kFormat, nullptr, &modules::dxt::kTables},  // 11
    {&modules::mdhim::kFormat, &modules::mdhim::kRecordView, &modules::mdhim::kTables},  // 12
    {&modules::apxc::kFormat, &modules::apxc::kRecordView, &modules::apxc::kTables},  // 13
    {&modules::apmpi::kFormat, &modules::apmpi::kRecordView, &modules::apmpi::kTables},  // 14
    {&modules::heatmap::kFormat, &modules::heatmap::kRecordView, &modules::heatmap::kTables},  // 15
    {&modules::dfs::kFormat, &modules::dfs::kRecordView},  // 16
    {&modules::daos::kFormat, &modules::daos::kRecordView},  // 17
};

// Formats with their record_views on, and their tables: a format itself knows neither, so that code which only moves
// bytes does without.
constexpr auto kWithRecordView = [] {
  std::array<ModuleFormat, std::size(kRows)> all{};
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i] = *kRows[i].format;
    all[i].record_view = kRows[i].record_view;
    all[i].tables = kRows[i].tables;
  }
  return all;
}();

constexpr auto kModules = [] {
  std::array<const ModuleFormat*, kWithRecordView.size()> all{};
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = &kWithRecordView[i];
  return all;
}();

// A place for every id a log can name; ids need not be without gaps.
constexpr auto kById = [] {
  std::array<const ModuleFormat*, kModuleSlots> places{};
  for (const ModuleFormat* module : kModules) places.at(module->schema->id) = module;
  return places;
}();
static_assert(std::ranges::is_sorted(kModules, std::less_equal{}, [](const ModuleFormat* m) { return m->schema->id; }));
static_assert(kModules.size() >= kKnownModules);
static_assert(std::ranges::all_of(kModules, [](const ModuleFormat* m) {
  return fold_runs(m->schema->counters) <= FoldPlan::kMaxRuns;
}));

bool same(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

}  // namespace

std::span<const ModuleFormat* const> all_modules() noexcept { return kModules; }

const ModuleFormat* find_module(ModuleId id) noexcept { return id < kById.size() ? kById[id] : nullptr; }

const ModuleFormat* find_module(std::string_view name) noexcept {
  for (const ModuleFormat* module : kModules) {
    if (same(module->schema->name, name) || same(module->schema->prefix, name)) return module;
  }
  return nullptr;
}

}  // namespace trikal
