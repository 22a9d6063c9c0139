// A region of compressed streams read in pieces of any size, against zlib and bzip2 reading it by themselves: the
// library that decompresses here is written in assembler and seen by no sanitizer.

#include <bzlib.h>
#include <zlib.h>

#include <cstring>

#include "log/read/block_stream.hpp"

namespace {

using namespace trikal;  // NOLINT: this file is the program
using Buffer = std::vector<std::byte>;

constexpr std::size_t kMost = 1 << 20;

void must(bool holds) {
  if (!holds) __builtin_trap();
}

struct Outcome {
  Buffer plain;
  bool whole = false;  // ended where a stream does, or at kMost
};

Outcome by_us(Bytes packed, log::Codec codec, std::size_t stage) {
  const auto source = log::from_memory({packed.begin(), packed.end()});
  const auto stream = log::open_region(*source, {0, packed.size()}, codec, {.expanded = kMost}, stage);
  Outcome outcome;
  log::Block block;
  for (;;) {
    auto more = stream->next(block);
    outcome.whole = more.ok();
    if (!more || !*more) break;
    outcome.plain.insert(outcome.plain.end(), block.data(), block.data() + block.size);
  }
  return outcome;
}

Outcome by_zlib(Bytes packed) {
  Outcome outcome;
  outcome.plain.resize(kMost + 1);
  z_stream stream{};
  must(inflateInit(&stream) == Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(outcome.plain.data());
  stream.avail_out = static_cast<uInt>(outcome.plain.size());
  bool between = true;
  int result = Z_OK;
  while (stream.avail_in > 0 && stream.avail_out > 0) {
    between = false;
    result = inflate(&stream, Z_NO_FLUSH);
    if (result != Z_OK && result != Z_STREAM_END) break;
    if (result == Z_STREAM_END) between = true, inflateReset(&stream);
  }
  outcome.plain.resize(outcome.plain.size() - stream.avail_out);
  outcome.whole = between && outcome.plain.size() <= kMost;
  inflateEnd(&stream);
  return outcome;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return -1;
  const auto codec = static_cast<log::Codec>(data[0] % 3);
  const Bytes packed = std::as_bytes(std::span(data + 2, size - 2));
  const Outcome small = by_us(packed, codec, 1 + data[1] % 64);
  const Outcome large = by_us(packed, codec, log::kStageBytes);
  must(small.whole == large.whole);
  if (small.whole) must(small.plain == large.plain);
  if (codec != log::Codec::kZlib) return 0;
  const Outcome other = by_zlib(packed);
  must(other.whole == large.whole);
  if (other.whole) must(other.plain == large.plain);
  const std::size_t common = std::min(other.plain.size(), large.plain.size());
  must(common == 0 || std::memcmp(other.plain.data(), large.plain.data(), common) == 0);
  return 0;
}
