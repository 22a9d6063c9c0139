#pragma once
// A region whose streams are known, decompressed by several threads and handed out in order.

#include <memory>
#include <vector>

#include "log/read/block_stream.hpp"
#include "log/trailer/streams.hpp"

namespace trikal::log {

// The same bytes and the same errors as open_region. `streams` cover `extent` without gaps and are small (see
// StreamIndex); where one is not what was announced, the rest is read from there as if there were no index.
// Null if no thread can be started. The source must outlive it.
[[nodiscard]] std::unique_ptr<BlockStream> open_parallel(const Source& source, Extent extent, Codec codec,
                                                         const Limits& limits, std::vector<StreamEntry> streams,
                                                         unsigned threads);

}  // namespace trikal::log
