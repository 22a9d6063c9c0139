#include "log/codec/encoder.hpp"

#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <new>

namespace trikal::log {
namespace {

constexpr std::size_t kStepMax = std::size_t{1} << 30;  // zlib counts in 32 bits
constexpr std::size_t kAlign = alignof(std::max_align_t);

// Hands out memory from front to back; nothing is ever given back.
struct Arena {
  std::byte* at;
  std::byte* end;

  void* take(std::size_t bytes) noexcept {
    auto address = reinterpret_cast<std::uintptr_t>(at);
    const std::size_t gap = (kAlign - address % kAlign) % kAlign;
    const auto left = static_cast<std::size_t>(end - at);
    if (left < gap || left - gap < bytes) return nullptr;
    std::byte* taken = at + gap;
    at = taken + bytes;
    return taken;
  }
};

struct ZlibState {
  z_stream stream;
  Arena arena;
};

void* take_for_zlib(void* opaque, unsigned items, unsigned size) {
  return static_cast<Arena*>(opaque)->take(std::size_t{items} * size);
}
void ignore_free(void* /*opaque*/, void* /*memory*/) {}

Status begin_zlib(void* state) {
  if (deflateReset(&static_cast<ZlibState*>(state)->stream) == Z_OK) return {};
  return Error{.code = ErrorCode::kUsage, .what = "the zlib encoder cannot be reset"};
}

Result<Encoder::Step> encode_zlib(void* state, Bytes in, MutableBytes out, bool finish) {
  z_stream& stream = static_cast<ZlibState*>(state)->stream;
  const auto in_size = static_cast<unsigned>(std::min(in.size(), kStepMax));
  const auto out_size = static_cast<unsigned>(std::min(out.size(), kStepMax));
  // The library wants a mutable pointer and does not write through it.
  stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(in.data()));
  stream.avail_in = in_size;
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = out_size;
  const int result = deflate(&stream, finish && in_size == in.size() ? Z_FINISH : Z_NO_FLUSH);
  // Z_BUF_ERROR only says that there was nothing to do.
  if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR) {
    return Error{.code = ErrorCode::kUsage, .what = "the zlib encoder was used out of order"};
  }
  return Encoder::Step{in_size - stream.avail_in, out_size - stream.avail_out, result == Z_STREAM_END};
}

Status begin_plain(void* /*state*/) { return {}; }

Result<Encoder::Step> encode_plain(void* /*state*/, Bytes in, MutableBytes out, bool finish) {
  const std::size_t count = std::min(in.size(), out.size());
  if (count > 0) std::memcpy(out.data(), in.data(), count);
  return Encoder::Step{count, count, finish && count == in.size()};
}

constexpr Encoder::Calls kZlibCalls = {Codec::kZlib, begin_zlib, encode_zlib};
constexpr Encoder::Calls kPlainCalls = {Codec::kNone, begin_plain, encode_plain};

}  // namespace

Result<Encoder> make_zlib_encoder(MutableBytes memory, int level) noexcept {
  Arena arena{memory.data(), memory.data() + memory.size()};
  void* block = arena.take(sizeof(ZlibState));
  if (block == nullptr) return Error{.code = ErrorCode::kLimit, .what = "too little memory for the zlib encoder"};
  auto* state = new (block) ZlibState{{}, arena};
  state->stream.zalloc = take_for_zlib;
  state->stream.zfree = ignore_free;
  state->stream.opaque = &state->arena;
  const int result = deflateInit(&state->stream, level);
  if (result == Z_OK) return Encoder(kZlibCalls, state);
  if (result == Z_MEM_ERROR) return Error{.code = ErrorCode::kLimit, .what = "too little memory for the zlib encoder"};
  return Error{.code = ErrorCode::kUsage, .what = "not a compression level"};
}

Encoder make_plain_encoder() noexcept { return {kPlainCalls, nullptr}; }

}  // namespace trikal::log
