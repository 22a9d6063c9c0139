#include "modules/list.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "modules/posix/format.hpp"

namespace trikal {
namespace {

constexpr std::array kModules = {
    &modules::posix::kFormat,
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
