#pragma once

#include <cstdint>
#include <vector>

namespace trikal::predict {

// By block, given the blocks behind each: the first one that all ways lead through; kNone: they end apart.
[[nodiscard]] std::vector<std::uint32_t> joins(const std::vector<std::vector<std::uint32_t>>& after);

}  // namespace trikal::predict
