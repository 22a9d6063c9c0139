#pragma once
// The trailer's sections on modules that Darshan has no id for. Runs inside applications: no heap, no exceptions.

#include <span>

#include "base/result.hpp"
#include "log/layout.hpp"
#include "log/trailer/writer.hpp"

namespace trikal::log {

struct ExtensionRegion {
  const ModuleSchema* schema = nullptr;  // null: the log has none
  std::uint32_t version = 0;
  Extent extent;
};

// Nothing where no region has a schema.
[[nodiscard]] Status put_extension_modules(TrailerWriter& trailer, std::span<const ExtensionRegion> regions);

}  // namespace trikal::log
