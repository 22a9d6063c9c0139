#include "log/codec/bzip2_encoder.hpp"

#include <bzlib.h>

#include <algorithm>

namespace trikal::log {

struct Bzip2Encoder::State {
  bz_stream stream{};
  bool open = false;

  void close() {
    if (open) BZ2_bzCompressEnd(&stream);
    open = false;
  }
};

namespace {

constexpr int kBlockSize = 9;
constexpr int kWorkFactor = 30;
constexpr std::size_t kStepMax = std::size_t{1} << 30;

// The library has no reset: every stream is a new state.
template <class State>
Status begin(void* opaque) {
  auto* state = static_cast<State*>(opaque);
  state->close();
  state->stream = {};
  state->open = BZ2_bzCompressInit(&state->stream, kBlockSize, 0, kWorkFactor) == BZ_OK;
  return state->open ? Status{} : Error{.code = ErrorCode::kLimit, .what = "no memory for the bzip2 encoder"};
}

template <class State>
Result<Encoder::Step> encode(void* opaque, Bytes in, MutableBytes out, bool finish) {
  auto* state = static_cast<State*>(opaque);
  if (!state->open) return Error{.code = ErrorCode::kUsage, .what = "the bzip2 encoder was used out of order"};
  const auto in_size = static_cast<unsigned>(std::min(in.size(), kStepMax));
  const auto out_size = static_cast<unsigned>(std::min(out.size(), kStepMax));
  bz_stream& stream = state->stream;
  stream.next_in = const_cast<char*>(reinterpret_cast<const char*>(in.data()));
  stream.avail_in = in_size;
  stream.next_out = reinterpret_cast<char*>(out.data());
  stream.avail_out = out_size;
  const bool ending = finish && in_size == in.size();
  if (!ending && in_size == 0) return Encoder::Step{};
  const int result = BZ2_bzCompress(&stream, ending ? BZ_FINISH : BZ_RUN);
  if (result < 0) return Error{.code = ErrorCode::kUsage, .what = "the bzip2 encoder was used out of order"};
  return Encoder::Step{in_size - stream.avail_in, out_size - stream.avail_out, result == BZ_STREAM_END};
}

}  // namespace

Bzip2Encoder::Bzip2Encoder() : state_(std::make_unique<State>()) {}
Bzip2Encoder::~Bzip2Encoder() { state_->close(); }

Encoder Bzip2Encoder::encoder() {
  static constexpr Encoder::Calls kCalls = {Codec::kBzip2, begin<State>, encode<State>};
  return {kCalls, state_.get()};
}

}  // namespace trikal::log
