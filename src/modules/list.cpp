#include "modules/list.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <functional>

#include "modules/list_rows.hpp"
#include "schema/fold.hpp"

namespace trikal {
namespace {

// Formats with their record_views on, and their tables: a format itself knows neither, so that code which only moves
// bytes does without.
constexpr auto kWithRecordView = [] {
  std::array<ModuleFormat, std::size(kListedFormats)> all{};
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i] = *kListedFormats[i];
    all[i].record_view = kListedRecordViews[i];
    all[i].tables = kListedTables[i];
  }
  return all;
}();

constexpr auto kModules = [] {
  std::array<const ModuleFormat*, kWithRecordView.size()> all{};
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = &kWithRecordView[i];
  return all;
}();

// A slot for every id a log can name; ids need not be without gaps.
constexpr auto kById = [] {
  std::array<const ModuleFormat*, kModuleSlots> slots{};
  for (const ModuleFormat* module : kModules) slots.at(module->schema->id) = module;
  return slots;
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
