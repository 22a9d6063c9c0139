#pragma once
// The library that is watched: how it is known to be there, and what its functions begin with.

#include "capture/interpose/imports.hpp"

namespace trikal::modules::template_module {

void wrappers(const capture::ImportUse& use) noexcept;
// Once, when the library is in the process: whether it is one that we understand.
[[nodiscard]] bool is_understood() noexcept;

inline constexpr capture::ImportGroup kImportGroups[] = {wrappers};
inline constexpr capture::ImportList kImports = {
    .witness = "template_open", .prefix = "template_", .groups = kImportGroups, .found = is_understood};

}  // namespace trikal::modules::template_module
