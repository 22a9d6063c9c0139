// The modules that observe calls inside the application, and those that listen to them.

#include <array>

#include "capture/session/hooks.hpp"
#include "modules/heatmap/capture.hpp"
#include "modules/heatmap/schema.hpp"
#include "modules/posix/capture.hpp"
#include "modules/stdio/capture.hpp"

namespace trikal::capture {

std::span<const ModuleHooks> module_hooks() noexcept {
  static constexpr std::array kHooks = {
      ModuleHooks{.schema = &modules::posix::kSchema,
                  .after_fork = modules::posix::after_fork,
                  .rehearse = modules::posix::rehearse},
      ModuleHooks{.schema = &modules::stdio::kSchema,
                  .after_fork = modules::stdio::after_fork,
                  .before_stop = modules::stdio::before_stop,
                  .rehearse = modules::stdio::rehearse},
      ModuleHooks{.schema = &modules::heatmap::kSchema, .after_fork = modules::heatmap::after_fork},
  };
  return kHooks;
}

void raise_slowly(ModuleSlot by, bool read, std::uint64_t id, Span when, std::int64_t offset,
                  std::int64_t bytes) noexcept {
  modules::heatmap::hear({by, read, id, when, offset, bytes});
}

}  // namespace trikal::capture
