#pragma once
// Sums of numbers that come out of a log. Anything may stand there, so they wrap where they do not fit.

#include <cstdint>

namespace trikal {

[[nodiscard]] constexpr std::int64_t wrap_add(std::int64_t a, std::int64_t b) noexcept {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

}  // namespace trikal
