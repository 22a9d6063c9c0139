#pragma once
// The environment, read without getenv: programs replace environ, and some replace getenv.

#include <string_view>

namespace trikal::capture {

// Null if it is not set.
[[nodiscard]] const char* variable(std::string_view name) noexcept;

}  // namespace trikal::capture
