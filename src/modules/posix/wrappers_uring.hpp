#pragma once
// Functions of liburing, reached through imports that were redirected.

#include <span>

#include "capture/interpose/imports.hpp"

namespace trikal::modules::posix {

void ring_wrappers(const capture::ImportUse& use) noexcept;
[[nodiscard]] bool find_rings() noexcept;

}  // namespace trikal::modules::posix
