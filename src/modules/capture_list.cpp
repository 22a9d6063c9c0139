// The modules that observe calls inside the application, by modules/list.txt.

#include "modules/capture_rows.hpp"

namespace trikal::capture {

std::span<const ModuleHooks> module_hooks() noexcept { return kListedHooks; }

std::span<const ImportList> import_lists() noexcept { return kListedImports; }

}  // namespace trikal::capture
