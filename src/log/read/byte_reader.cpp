#include "log/read/byte_reader.hpp"

#include <algorithm>
#include <cstring>

namespace trikal::log {

Result<Bytes> ByteReader::peek() {
  if (used_ == block_.size) {
    used_ = 0, block_.size = 0;
    auto more = stream_->next(block_);
    if (!more) {
      block_.size = 0;
      return more.error();
    }
    if (!*more) {
      block_.size = 0;
      return Bytes{};
    }
  }
  return Bytes{block_.data() + used_, block_.size - used_};
}

Result<std::size_t> ByteReader::read(MutableBytes out) {
  std::size_t done = 0;
  while (done < out.size()) {
    auto bytes = peek();
    if (!bytes && done == 0) return bytes.error();
    if (!bytes || bytes->empty()) break;
    const std::size_t count = std::min(bytes->size(), out.size() - done);
    std::memcpy(out.data() + done, bytes->data(), count);
    skip(count);
    done += count;
  }
  return done;
}

Status ByteReader::why_short() {
  auto bytes = peek();
  return bytes ? Status{} : bytes.error();
}

}  // namespace trikal::log
