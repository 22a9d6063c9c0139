#pragma once
// What did they mean? Names close to a misspelt one.

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace trikal {

// Characters to put in, take out, change or swap until one word is the other, whatever their case. Stops counting
// at `most` + 1.
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t most);

// The closest of `names`, best first, at most `count`: a few characters off, or with the wanted word inside.
[[nodiscard]] std::vector<std::string_view> near_names(std::string_view wanted, std::span<const std::string> names,
                                                       std::size_t count);

}  // namespace trikal
