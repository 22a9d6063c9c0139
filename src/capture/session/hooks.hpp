#pragma once
// What a module must be told, and how it notes a call. The list is written once, in modules/capture_list.cpp.

#include <span>

#include "capture/clock/clock.hpp"
#include "schema/module.hpp"

namespace trikal::capture {

struct ModuleHooks {
  const ModuleSchema* schema = nullptr;
  void (*after_fork)() noexcept = nullptr;   // in the child: free every lock, forget every record
  void (*before_stop)() noexcept = nullptr;  // a last chance to count
  void (*rehearse)(Span when) noexcept = nullptr;  // notes a read of 64 bytes on a record that is nobody's
};

// In order of module id.
[[nodiscard]] std::span<const ModuleHooks> module_hooks() noexcept;

}  // namespace trikal::capture
