#pragma once
// A region's plain bytes, in order, block by block.

#include <memory>
#include <vector>

#include "base/bytes.hpp"
#include "base/result.hpp"
#include "log/layout.hpp"
#include "log/read/damage.hpp"
#include "log/read/source.hpp"

namespace trikal::log {

// A buffer with space in front, so that what the block before left over can be put before this one.
class Block {
 public:
  static constexpr std::size_t kHeadroom = 8192;
  static constexpr std::size_t kCapacity = 256 * 1024;

  [[nodiscard]] std::byte* data() { return storage_.get() + kHeadroom; }
  void allocate() {
    if (!storage_) storage_ = std::make_unique_for_overwrite<std::byte[]>(kHeadroom + kCapacity);
  }

  std::size_t size = 0;
  std::uint64_t file_offset = 0;  // where in the log the bytes behind this block begin

 private:
  std::unique_ptr<std::byte[]> storage_;
};

class BlockStream {
 public:
  virtual ~BlockStream() = default;
  // False at the end. Bytes before damage are handed out first, the error comes with the call after.
  virtual Result<bool> next(Block& block) = 0;
};

// Compressed bytes read at once. Tests choose others to have every kind of boundary.
inline constexpr std::size_t kStageBytes = 128 * 1024;

// `extent` must lie inside the source. Streams are joined as the format says.
[[nodiscard]] std::unique_ptr<BlockStream> open_region(const Source& source, Extent extent, Codec codec,
                                                       const Limits& limits, std::size_t stage_bytes = kStageBytes);

// The same, decompressed ahead by a thread of its own; as it was where no thread can be had. The source must
// outlive it.
[[nodiscard]] std::unique_ptr<BlockStream> read_ahead(std::unique_ptr<BlockStream> stream);

}  // namespace trikal::log
