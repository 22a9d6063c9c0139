// The modules as the unit tests know them: names and numbers, and who listens.

#include "capture/session/hooks.hpp"

#include <array>

#include "capture/events/heard_test.hpp"
#include "capture/interpose/imports.hpp"
#include "capture/session/ending.hpp"
#include "modules/_template/capture.hpp"
#include "modules/posix/schema.hpp"
#include "modules/stdio/schema.hpp"

namespace trikal::capture {

std::span<const ModuleHooks> module_hooks() noexcept {
  static constexpr auto kNothing = []() noexcept {};
  static constexpr std::array kHooks = {ModuleHooks{.schema = &modules::posix::kSchema, .after_fork = kNothing},
                                        ModuleHooks{.schema = &modules::stdio::kSchema, .after_fork = kNothing},
                                        modules::template_module::kHooks};
  return kHooks;
}

std::span<const ImportList> import_lists() noexcept { return {}; }
void find_dlopen() noexcept {}
void find_endings() noexcept {}

bool is_every_event_wanted(const Config& /*config*/) noexcept { return false; }
void tell_listeners(const Event& event) noexcept { heard_events().push_back(event); }
std::vector<Event>& heard_events() {
  static std::vector<Event> heard;
  return heard;
}
void tell_moved(Operation /*operation*/, std::uint64_t /*file*/, Span /*when*/, std::int64_t /*offset*/,
                std::int64_t /*length*/) noexcept {}

}  // namespace trikal::capture
