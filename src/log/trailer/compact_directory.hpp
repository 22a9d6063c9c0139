#pragma once
// The directory of a trailer of version 2, from plain bytes that may have been made to deceive.

#include <cstdint>
#include <vector>

#include "base/bytes.hpp"
#include "log/trailer/reader.hpp"

namespace trikal::log {

// Where the streams are: `space` from the first to the end of the last one, which has the directory in it.
struct TrailerStreams {
  Extent space;
  Extent last;
  std::uint64_t skipped = 0;  // plain bytes of the last one in front of the directory: those of sections
  std::uint32_t last_crc = 0;
  Codec codec = Codec::kZlib;
};

// `bytes`: the directory alone. False if it makes no sense: streams that do not fill the space, sections that are longer
// than their stream, two of one name, a type or line nobody knows, bytes left over.
[[nodiscard]] bool parse_compact_directory(Bytes bytes, std::uint64_t count, const TrailerStreams& streams,
                                           std::vector<Section>& sections);

}  // namespace trikal::log
