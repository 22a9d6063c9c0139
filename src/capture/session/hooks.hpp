#pragma once
// What a module must be told. The list is written once, in modules/capture_list.cpp.

#include <span>

#include "schema/module.hpp"

namespace trikal::capture {

struct ModuleHooks {
  const ModuleSchema* schema = nullptr;
  void (*after_fork)() noexcept = nullptr;   // in the child: free every lock, forget every record
  void (*before_stop)() noexcept = nullptr;  // a last chance to count
};

// In order of module id.
[[nodiscard]] std::span<const ModuleHooks> module_hooks() noexcept;

}  // namespace trikal::capture
