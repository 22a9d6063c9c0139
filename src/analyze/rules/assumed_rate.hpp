#pragma once
// What large accesses reach on a file system that nobody measured.

#include <string_view>

namespace trikal::analyze {

// Bytes a second of a rank, where `ranks` work at a time: a floor for healthy file systems of the type.
[[nodiscard]] double assumed_rate(std::string_view type, double ranks);

}  // namespace trikal::analyze
