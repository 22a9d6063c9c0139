#include "log/codec/decoder.hpp"

#include <bzlib.h>
#include <isa-l/igzip_lib.h>

#include <algorithm>
#include <cstring>
#include <limits>

namespace trikal::log {
namespace {

constexpr std::size_t kStepMax = 1U << 30;  // the libraries count in 32 bits

Error damaged(const char* what) { return {.code = ErrorCode::kDamaged, .what = what}; }

class ZlibDecoder final : public Decoder {
 public:
  ZlibDecoder() { begin_stream(); }

  Result<Step> decode(Bytes in, MutableBytes out) override {
    const auto in_size = static_cast<std::uint32_t>(std::min(in.size(), kStepMax));
    const auto out_size = static_cast<std::uint32_t>(std::min(out.size(), kStepMax));
    // The library wants a mutable pointer and does not write through it.
    state_->next_in = const_cast<std::uint8_t*>(reinterpret_cast<const std::uint8_t*>(in.data()));
    state_->avail_in = in_size;
    state_->next_out = reinterpret_cast<std::uint8_t*>(out.data());
    state_->avail_out = out_size;
    const int result = isal_inflate(state_.get());
    Step step{static_cast<std::ptrdiff_t>(in_size - state_->avail_in), out_size - state_->avail_out, false};
    if (result == ISAL_INCORRECT_CHECKSUM) return damaged("checksum of a compressed stream is wrong");
    if (result < 0) return damaged("not a valid zlib stream");
    if (result == ISAL_NEED_DICT) return damaged("a zlib stream that asks for a dictionary, which no log has");
    step.stream_end = state_->block_state == ISAL_BLOCK_FINISH;
    // The bit buffer reads ahead; what it holds now belongs to the next stream.
    if (step.stream_end) step.consumed -= state_->read_in_length / 8;
    return step;
  }

  void begin_stream() override {
    isal_inflate_init(state_.get());
    state_->crc_flag = ISAL_ZLIB;
  }

 private:
  std::unique_ptr<inflate_state> state_ = std::make_unique<inflate_state>();
};

class Bzip2Decoder final : public Decoder {
 public:
  Bzip2Decoder() { begin_stream(); }
  ~Bzip2Decoder() override { BZ2_bzDecompressEnd(&stream_); }
  Bzip2Decoder(const Bzip2Decoder&) = delete;
  Bzip2Decoder& operator=(const Bzip2Decoder&) = delete;

  Result<Step> decode(Bytes in, MutableBytes out) override {
    if (!ready_) return Error{.code = ErrorCode::kLimit, .what = "no memory for the bzip2 decoder"};
    const auto in_size = static_cast<unsigned>(std::min(in.size(), kStepMax));
    const auto out_size = static_cast<unsigned>(std::min(out.size(), kStepMax));
    stream_.next_in = const_cast<char*>(reinterpret_cast<const char*>(in.data()));
    stream_.avail_in = in_size;
    stream_.next_out = reinterpret_cast<char*>(out.data());
    stream_.avail_out = out_size;
    const int result = BZ2_bzDecompress(&stream_);
    if (result != BZ_OK && result != BZ_STREAM_END) return damaged("not a valid bzip2 stream");
    return Step{static_cast<std::ptrdiff_t>(in_size - stream_.avail_in), out_size - stream_.avail_out,
                result == BZ_STREAM_END};
  }

  void begin_stream() override {
    if (ready_) BZ2_bzDecompressEnd(&stream_);
    stream_ = {};
    ready_ = BZ2_bzDecompressInit(&stream_, 0, 0) == BZ_OK;
  }

 private:
  bz_stream stream_{};
  bool ready_ = false;
};

class PlainDecoder final : public Decoder {
 public:
  Result<Step> decode(Bytes in, MutableBytes out) override {
    const std::size_t count = std::min(in.size(), out.size());
    if (count > 0) std::memcpy(out.data(), in.data(), count);
    return Step{static_cast<std::ptrdiff_t>(count), count, true};  // a region of plain bytes may end anywhere
  }
  void begin_stream() override {}
};

}  // namespace

std::unique_ptr<Decoder> make_decoder(Codec codec) {
  switch (codec) {
    case Codec::kZlib: return std::make_unique<ZlibDecoder>();
    case Codec::kBzip2: return std::make_unique<Bzip2Decoder>();
    case Codec::kNone: return std::make_unique<PlainDecoder>();
  }
  return nullptr;
}

}  // namespace trikal::log
