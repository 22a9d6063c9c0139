#include "modules/list.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <functional>

#include "modules/apmpi/format.hpp"
#include "modules/apmpi/lens.hpp"
#include "modules/apxc/format.hpp"
#include "modules/apxc/lens.hpp"
#include "modules/bgq/format.hpp"
#include "modules/bgq/lens.hpp"
#include "modules/daos/format.hpp"
#include "modules/daos/lens.hpp"
#include "modules/dfs/format.hpp"
#include "modules/dfs/lens.hpp"
#include "modules/dxt_mpiio/format.hpp"
#include "modules/dxt_posix/format.hpp"
#include "modules/h5d/format.hpp"
#include "modules/h5f/format.hpp"
#include "modules/heatmap/format.hpp"
#include "modules/heatmap/lens.hpp"
#include "modules/lustre/format.hpp"
#include "modules/lustre/lens.hpp"
#include "modules/mdhim/format.hpp"
#include "modules/mdhim/lens.hpp"
#include "modules/mpiio/format.hpp"
#include "modules/null/format.hpp"
#include "modules/null/lens.hpp"
#include "modules/pnetcdf_file/format.hpp"
#include "modules/pnetcdf_var/format.hpp"
#include "modules/posix/format.hpp"
#include "modules/stdio/format.hpp"

namespace trikal {
namespace {

// In order of module id. scripts/new-module appends here.
constexpr std::array kFormats = {
    &modules::null::kFormat,        &modules::posix::kFormat,     &modules::mpiio::kFormat,
    &modules::h5f::kFormat,         &modules::h5d::kFormat,       &modules::pnetcdf_file::kFormat,
    &modules::pnetcdf_var::kFormat, &modules::bgq::kFormat,       &modules::lustre::kFormat,
    &modules::stdio::kFormat,       &modules::dxt_posix::kFormat, &modules::dxt_mpiio::kFormat,
    &modules::mdhim::kFormat,       &modules::apxc::kFormat,      &modules::apmpi::kFormat,
    &modules::heatmap::kFormat,     &modules::dfs::kFormat,       &modules::daos::kFormat,
};

// Modules whose records are more than their counters in order.
struct Worn {
  const ModuleFormat* format;
  const Lens* lens;
};
constexpr Worn kLenses[] = {
    {&modules::null::kFormat, &modules::null::kLens},       {&modules::bgq::kFormat, &modules::bgq::kLens},
    {&modules::lustre::kFormat, &modules::lustre::kLens},   {&modules::mdhim::kFormat, &modules::mdhim::kLens},
    {&modules::apxc::kFormat, &modules::apxc::kLens},       {&modules::apmpi::kFormat, &modules::apmpi::kLens},
    {&modules::heatmap::kFormat, &modules::heatmap::kLens}, {&modules::dfs::kFormat, &modules::dfs::kLens},
    {&modules::daos::kFormat, &modules::daos::kLens},
};

// Formats with their lenses on: a format itself does not know its lens, so that code which only moves bytes
// does without.
constexpr auto kWithLens = [] {
  std::array<ModuleFormat, kFormats.size()> all{};
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i] = *kFormats[i];
    for (const Worn& worn : kLenses) {
      if (worn.format == kFormats[i]) all[i].lens = worn.lens;
    }
  }
  return all;
}();

constexpr auto kModules = [] {
  std::array<const ModuleFormat*, kWithLens.size()> all{};
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = &kWithLens[i];
  return all;
}();

// A place for every id a log can name; ids need not be without gaps.
constexpr auto kById = [] {
  std::array<const ModuleFormat*, kModuleSlots> places{};
  for (const ModuleFormat* module : kModules) places.at(module->schema->id) = module;
  return places;
}();
static_assert(std::ranges::is_sorted(kModules, std::less{}, [](const ModuleFormat* m) { return m->schema->id; }));
static_assert(kModules.size() >= kKnownModules);

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
