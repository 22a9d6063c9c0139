#pragma once
// Every module trikal knows. list.txt is the one list of them.

#include <span>
#include <string_view>

#include "schema/form.hpp"
#include "schema/module.hpp"

namespace trikal {

// In order of module id.
[[nodiscard]] std::span<const ModuleFormat* const> all_modules() noexcept;

// Null for an id nobody knows.
[[nodiscard]] const ModuleFormat* find_module(ModuleId id) noexcept;
// By the name logs use ("MPI-IO") or the counters' prefix ("MPIIO"), any case.
[[nodiscard]] const ModuleFormat* find_module(std::string_view name) noexcept;

}  // namespace trikal
