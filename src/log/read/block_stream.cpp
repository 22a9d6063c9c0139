#include "log/read/block_stream.hpp"

#include <algorithm>
#include <cstring>

#include "log/codec/decoder.hpp"

namespace trikal::log {
namespace {

class RegionStream final : public BlockStream {
 public:
  RegionStream(const Source& source, Extent extent, Codec codec, const Limits& limits, std::size_t stage_bytes)
      : source_(source),
        at_(extent.offset),
        end_(extent.offset + extent.length),
        limit_(limits.expanded),
        decoder_(make_decoder(codec)),
        staged_(kHistory + std::min<std::uint64_t>(stage_bytes, extent.length)) {}

  Result<bool> next(Block& block) override {
    if (failed_) return pending_;
    block.allocate();
    block.size = 0;
    block.file_offset = position();
    while (block.size < Block::kCapacity) {
      auto more = step(block);
      if (!more) {
        failed_ = true, pending_ = more.error();
        if (block.size == 0) return pending_;
        break;
      }
      if (!*more) break;
    }
    expanded_ += block.size;
    return block.size > 0;
  }

 private:
  static constexpr std::size_t kHistory = Decoder::kGivenBack;  // bytes of the input before, kept in front

  [[nodiscard]] std::uint64_t position() const { return at_ - (filled_ - used_); }
  [[nodiscard]] Error at_position(Error error) const {
    error.offset = position();
    return error;
  }

  // False: the region has ended cleanly.
  Result<bool> step(Block& block) {
    if (used_ == filled_ && at_ < end_) {
      auto filled = refill();
      if (!filled) return filled.error();
    }
    const bool input_left = used_ < filled_;
    if (!input_left && between_streams_) return false;
    if (between_streams_) decoder_->begin_stream(), between_streams_ = false;
    auto step = decoder_->decode(Bytes{staged_}.subspan(used_, filled_ - used_),
                                 {block.data() + block.size, Block::kCapacity - block.size});
    if (!step) return at_position(step.error());
    used_ = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(used_) + step->consumed);
    block.size += step->produced;
    between_streams_ = step->stream_end;
    if (expanded_ + block.size > limit_) {
      return at_position({.code = ErrorCode::kLimit, .what = "region expands beyond the limit"});
    }
    if (step->consumed == 0 && step->produced == 0 && !step->stream_end && (at_ >= end_ || used_ < filled_)) {
      return at_position({.code = ErrorCode::kTruncated, .what = "compressed stream ends too early"});
    }
    return true;
  }

  Status refill() {
    std::memmove(staged_.data(), staged_.data() + filled_ - kHistory, kHistory);
    const std::size_t want = static_cast<std::size_t>(std::min<std::uint64_t>(staged_.size() - kHistory, end_ - at_));
    auto got = source_.read_at(at_, {staged_.data() + kHistory, want});
    if (!got) return got.error();
    if (*got == 0) return Error{.code = ErrorCode::kTruncated, .offset = at_, .what = "file ends inside a region"};
    at_ += *got, filled_ = kHistory + *got, used_ = kHistory;
    return {};
  }

  const Source& source_;
  std::uint64_t at_, end_, limit_;
  std::unique_ptr<Decoder> decoder_;
  std::vector<std::byte> staged_;
  std::size_t filled_ = kHistory, used_ = kHistory;
  bool between_streams_ = true;
  std::uint64_t expanded_ = 0;
  bool failed_ = false;
  Error pending_;
};

}  // namespace

std::unique_ptr<BlockStream> open_region(const Source& source, Extent extent, Codec codec, const Limits& limits,
                                         std::size_t stage_bytes) {
  return std::make_unique<RegionStream>(source, extent, codec, limits, stage_bytes);
}

}  // namespace trikal::log
