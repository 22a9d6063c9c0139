#include "log/codec/encoder.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "log/codec/bzip2_encoder.hpp"
#include "log/codec/decoder.hpp"

namespace trikal::log {
namespace {

std::vector<std::byte> sample(std::size_t size) {
  std::mt19937 random(7);
  std::vector<std::byte> bytes(size);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random() % 5 == 0 ? random() : 0);
  return bytes;
}

// In pieces of these sizes, so that every state between calls is seen.
std::vector<std::byte> encode(Encoder& encoder, Bytes plain, std::size_t in_step, std::size_t out_step) {
  EXPECT_TRUE(encoder.begin_stream());
  std::vector<std::byte> packed;
  std::vector<std::byte> buffer(out_step);
  for (;;) {
    const Bytes in = plain.first(std::min(in_step, plain.size()));
    const bool last = in.size() == plain.size();
    auto step = encoder.encode(in, buffer, last);
    EXPECT_TRUE(step) << step.error().what;
    packed.insert(packed.end(), buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(step->produced));
    plain = plain.subspan(step->consumed);
    if (step->stream_end) return packed;
  }
}

std::vector<std::byte> decode(Codec codec, Bytes packed, std::size_t plain_size) {
  const auto decoder = make_decoder(codec);
  std::vector<std::byte> plain(plain_size + 1);
  std::size_t made = 0;
  bool ended = false;
  while (!packed.empty() && !ended) {
    auto step = decoder->decode(packed, MutableBytes{plain}.subspan(made));
    EXPECT_TRUE(step);
    if (!step || (step->consumed == 0 && step->produced == 0)) break;
    made += step->produced;
    packed = packed.subspan(step->consumed);
    ended = codec != Codec::kNone && step->stream_end;
  }
  EXPECT_TRUE(packed.empty());
  plain.resize(made);
  return plain;
}

class EveryCodec : public testing::TestWithParam<Codec> {
 protected:
  Encoder make() {
    if (GetParam() == Codec::kBzip2) return bzip2_.encoder();
    if (GetParam() == Codec::kNone) return make_plain_encoder();
    auto zlib = make_zlib_encoder(MutableBytes{memory_}.subspan(1));
    EXPECT_TRUE(zlib);
    return *zlib;
  }

 private:
  Bzip2Encoder bzip2_;
  std::vector<std::byte> memory_ = std::vector<std::byte>(kZlibEncoderBytes);
};

TEST_P(EveryCodec, IsUndoneByTheDecoderWhateverTheSteps) {
  Encoder encoder = make();
  EXPECT_EQ(encoder.codec(), GetParam());
  for (const std::size_t size : {0U, 1U, 1000U, 300000U}) {
    const auto plain = sample(size);
    for (const std::size_t step : {7U, 4096U, 1U << 20}) {
      const auto packed = encode(encoder, plain, step, step);
      EXPECT_EQ(decode(GetParam(), packed, size), plain) << size << " in steps of " << step;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Codecs, EveryCodec, testing::Values(Codec::kZlib, Codec::kBzip2, Codec::kNone));

TEST(ZlibEncoder, BeginsStreamsAsDarshanDoes) {
  std::vector<std::byte> memory(kZlibEncoderBytes);
  auto encoder = make_zlib_encoder(memory);
  ASSERT_TRUE(encoder);
  const auto packed = encode(*encoder, sample(100), 100, 4096);
  EXPECT_EQ(packed[0], std::byte{0x78});
  EXPECT_EQ(packed[1], std::byte{0x9c});
}

TEST(ZlibEncoder, LevelsMatter) {
  std::vector<std::byte> memory(kZlibEncoderBytes);
  const auto plain = sample(100000);
  auto fast = make_zlib_encoder(memory, 1);
  ASSERT_TRUE(fast);
  const auto large = encode(*fast, plain, plain.size(), 4096);
  auto slow = make_zlib_encoder(memory, 9);
  ASSERT_TRUE(slow);
  const auto small = encode(*slow, plain, plain.size(), 4096);
  EXPECT_LT(small.size(), large.size());
}

TEST(ZlibEncoder, RefusesTooLittleMemoryAndStrangeLevels) {
  std::vector<std::byte> memory(kZlibEncoderBytes);
  EXPECT_EQ(make_zlib_encoder(MutableBytes{memory}.first(200000)).error().code, ErrorCode::kLimit);
  EXPECT_EQ(make_zlib_encoder({}).error().code, ErrorCode::kLimit);
  EXPECT_EQ(make_zlib_encoder(memory, 10).error().code, ErrorCode::kUsage);
}

TEST(Bzip2Encoder, BeginsStreamsAsDarshanDoes) {
  Bzip2Encoder bzip2;
  Encoder encoder = bzip2.encoder();
  const auto packed = encode(encoder, sample(100), 100, 4096);
  EXPECT_EQ(std::string_view(reinterpret_cast<const char*>(packed.data()), 4), "BZh9");
}

}  // namespace
}  // namespace trikal::log
