#pragma once
// The directory of a trailer of version 1, from bytes whose checksum was right but which may have been made to deceive.

#include <cstdint>
#include <vector>

#include "base/bytes.hpp"
#include "log/trailer/reader.hpp"

namespace trikal::log {

// Far more than anybody writes; little enough that a made-up directory costs nothing.
inline constexpr std::uint64_t kDirectoryMax = std::uint64_t{1} << 20;
inline constexpr std::uint64_t kSectionsMax = 1024;

// False if it makes no sense: a section outside of `space`, two of one name, a type nobody knows, bytes left over.
[[nodiscard]] bool parse_directory(Bytes bytes, std::uint64_t count, Extent space, std::vector<Section>& sections);

}  // namespace trikal::log
