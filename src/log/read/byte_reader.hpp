#pragma once
// Bytes of a region one piece at a time, whatever the blocks they came in.

#include <memory>

#include "log/read/block_stream.hpp"

namespace trikal::log {

class ByteReader {
 public:
  explicit ByteReader(std::unique_ptr<BlockStream> stream) : stream_(std::move(stream)) {}

  // Copies up to out.size() bytes; fewer only where the region ends, cleanly or by damage: why_short tells.
  // An error only if there was not a single byte before it.
  Result<std::size_t> read(MutableBytes out);
  Status why_short();
  // What is at hand without copying; empty at the end of the region. Call skip for what was used.
  Result<Bytes> peek();
  void skip(std::size_t count) { used_ += count; }

  // Where in the log the bytes now at hand were compressed (the start of their block).
  [[nodiscard]] std::uint64_t file_offset() const { return block_.file_offset; }

 private:
  std::unique_ptr<BlockStream> stream_;
  Block block_;
  std::size_t used_ = 0;
};

}  // namespace trikal::log
