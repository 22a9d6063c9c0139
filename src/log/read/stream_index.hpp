#pragma once
// Where the streams of each region begin, from the trailer; only what agrees with the header is believed.

#include <vector>

#include "log/layout.hpp"
#include "log/trailer/reader.hpp"
#include "log/trailer/streams.hpp"

namespace trikal::log {

class StreamIndex {
 public:
  // A stream larger than this is decompressed piece by piece like any other: several are held at once.
  static constexpr std::uint64_t kPlainMax = std::uint64_t{2} << 20;

  // An error: the section is damaged. The index is then empty, and everything can be read without it.
  Status load(const Trailer& trailer);

  // The region's streams, in order and without gaps; empty if the index does not have exactly that.
  [[nodiscard]] std::vector<StreamEntry> of(std::uint64_t region, const Extent& extent) const;

 private:
  std::vector<StreamEntry> streams_;  // by region, then by offset
};

}  // namespace trikal::log
