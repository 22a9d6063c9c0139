#include "modules/list.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "modules/dxt_mpiio/format.hpp"
#include "modules/dxt_posix/format.hpp"
#include "modules/h5d/format.hpp"
#include "modules/h5f/format.hpp"
#include "modules/heatmap/format.hpp"
#include "modules/lustre/format.hpp"
#include "modules/mpiio/format.hpp"
#include "modules/pnetcdf_file/format.hpp"
#include "modules/pnetcdf_var/format.hpp"
#include "modules/posix/format.hpp"
#include "modules/stdio/format.hpp"

namespace trikal {
namespace {

constexpr std::array kModules = {
    &modules::posix::kFormat,
    &modules::mpiio::kFormat,
    &modules::h5f::kFormat,
    &modules::h5d::kFormat,
    &modules::pnetcdf_file::kFormat,
    &modules::pnetcdf_var::kFormat,
    &modules::lustre::kFormat,
    &modules::stdio::kFormat,
    &modules::dxt_posix::kFormat,
    &modules::dxt_mpiio::kFormat,
    &modules::heatmap::kFormat,
};

bool same(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

}  // namespace

std::span<const ModuleFormat* const> all_modules() noexcept { return kModules; }

const ModuleFormat* find_module(ModuleId id) noexcept {
  for (const ModuleFormat* module : kModules) {
    if (module->schema->id == id) return module;
  }
  return nullptr;
}

const ModuleFormat* find_module(std::string_view name) noexcept {
  for (const ModuleFormat* module : kModules) {
    if (same(module->schema->name, name) || same(module->schema->prefix, name)) return module;
  }
  return nullptr;
}

}  // namespace trikal
