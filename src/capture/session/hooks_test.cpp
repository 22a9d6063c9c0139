// The modules as the unit tests know them: names and numbers, and nobody who listens.

#include "capture/session/hooks.hpp"

#include <array>

#include "capture/events/moved.hpp"
#include "capture/interpose/imports.hpp"
#include "capture/session/ending.hpp"
#include "modules/posix/schema.hpp"
#include "modules/stdio/schema.hpp"

namespace trikal::capture {

std::span<const ModuleHooks> module_hooks() noexcept {
  static constexpr auto kNothing = []() noexcept {};
  static constexpr std::array kHooks = {ModuleHooks{.schema = &modules::posix::kSchema, .after_fork = kNothing},
                                        ModuleHooks{.schema = &modules::stdio::kSchema, .after_fork = kNothing}};
  return kHooks;
}

std::span<const ImportList> import_lists() noexcept { return {}; }
void find_dlopen() noexcept {}
void find_endings() noexcept {}

void raise_slowly(ModuleSlot /*by*/, bool /*read*/, std::uint64_t /*id*/, Span /*when*/, std::int64_t /*offset*/,
                  std::int64_t /*bytes*/) noexcept {}

}  // namespace trikal::capture
