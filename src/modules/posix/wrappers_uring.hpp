#pragma once
// Functions of liburing, reached through imports that were redirected.

#include <span>

#include "capture/interpose/imports.hpp"

namespace trikal::modules::posix {

[[nodiscard]] std::span<const capture::ImportPair> ring_wrappers() noexcept;
[[nodiscard]] bool find_rings() noexcept;

}  // namespace trikal::modules::posix
