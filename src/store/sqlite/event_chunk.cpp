#include "store/sqlite/event_chunk.hpp"

#include <memory>

#include "base/hash.hpp"
#include "log/codec/decoder.hpp"
#include "log/codec/encoder.hpp"

namespace trikal::storage {
namespace {

// Checksum of all that follows, packing, bytes of the columns.
constexpr std::size_t kPackingAt = 4, kSizeAt = 5, kHead = 9;
constexpr int kLevel = 1;  // differences are small already: more effort takes much time and gains little
// No more than so many events make: their columns have ten bytes a number at most.
constexpr std::size_t kMostBytes = kMostInChunk * stream::kEventColumns * 10 + 1024;

Error damaged(const char* what) { return {.code = ErrorCode::kDamaged, .what = what}; }

Status deflate(Bytes plain, std::vector<std::byte>& out) {
  static thread_local const auto memory = std::make_unique<std::byte[]>(log::kZlibEncoderBytes);
  auto encoder = log::make_zlib_encoder({memory.get(), log::kZlibEncoderBytes}, kLevel);
  if (!encoder) return encoder.error();
  if (Status begun = encoder->begin_stream(); !begun) return begun;
  std::size_t size = out.size();
  for (bool ended = false; !ended;) {
    out.resize(size + plain.size() / 2 + 256);
    const auto step = encoder->encode(plain, MutableBytes(out).subspan(size), true);
    if (!step) return step.error();
    plain = plain.subspan(step->consumed);
    size += step->produced;
    ended = step->stream_end;
  }
  out.resize(size);
  return {};
}

Status inflate(Bytes packed, std::vector<std::byte>& out) {
  const auto decoder = log::make_decoder(log::Codec::kZlib);
  decoder->begin_stream();
  std::size_t at = 0;
  for (bool ended = false; !ended;) {
    const auto step = decoder->decode(packed, MutableBytes(out).subspan(at));
    if (!step) return step.error();
    const auto consumed = static_cast<std::size_t>(std::max<std::ptrdiff_t>(step->consumed, 0));
    if (consumed == 0 && step->produced == 0 && !step->stream_end) return damaged("the compressed events are cut");
    packed = packed.subspan(consumed);
    at += step->produced;
    ended = step->stream_end;
  }
  return at == out.size() ? Status() : damaged("the compressed events are not as long as they say");
}

}  // namespace

Result<std::vector<std::byte>> make_chunk(std::span<const stream::EventRecord> events,
                                          std::span<const stream::EventDetails> details, Packing packing) {
  std::vector<std::byte> columns, bytes(kHead);
  stream::append_event_columns(columns, events, details);
  if (packing == Packing::kPlain) {
    bytes.insert(bytes.end(), columns.begin(), columns.end());
  } else if (Status packed = deflate(columns, bytes); !packed) {
    return packed.error();
  }
  bytes[kPackingAt] = static_cast<std::byte>(packing);
  store_le(bytes.data() + kSizeAt, static_cast<std::uint32_t>(columns.size()));
  store_le(bytes.data(), crc32c(Bytes(bytes).subspan(kPackingAt)));
  return bytes;
}

Result<EventChunk> EventChunk::open(Bytes bytes) {
  if (bytes.size() < kHead) return damaged("too short for events");
  if (load_le<std::uint32_t>(bytes.data()) != crc32c(bytes.subspan(kPackingAt)))
    return damaged("its checksum is wrong");
  const auto packing = std::to_integer<unsigned>(bytes[kPackingAt]);
  const auto size = load_le<std::uint32_t>(bytes.data() + kSizeAt);
  if (packing > static_cast<unsigned>(Packing::kDeflate)) return damaged("compressed by another version of trikal");
  if (size > kMostBytes) return damaged("larger than any chunk of events");
  EventChunk chunk;
  Bytes columns = bytes.subspan(kHead);
  if (packing == static_cast<unsigned>(Packing::kDeflate)) {
    chunk.inflated_.resize(size);
    if (Status inflated = inflate(columns, chunk.inflated_); !inflated) return inflated.error();
    columns = chunk.inflated_;
  }
  auto opened = stream::EventColumns::open(columns);
  if (!opened) return opened.error();
  if (opened->count() > kMostInChunk) return damaged("more events than a chunk has");
  chunk.columns_ = *opened;
  return chunk;
}

}  // namespace trikal::storage
