#include "log/codec/decoder.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>

#include "support/log_builder.hpp"

namespace trikal::log {
namespace {

using testing::Buffer;
using testing::bytes_of;
using testing::pack;
using testing::text_of;

std::string sample_text() {
  std::string text;
  for (int i = 0; i < 300; ++i) text += "counter " + std::to_string(i * i) + (i % 3 == 0 ? "\n" : "zzzzzzzz ");
  return text;
}

struct Outcome {
  std::string plain;
  std::ptrdiff_t consumed = 0;
  bool ended = false;
  Error error;
};

// Feeds `in` in pieces until the stream ends, fails, or nothing happens any more.
Outcome decode_all(Decoder& decoder, Bytes in, std::size_t in_step, std::size_t out_step) {
  Outcome outcome;
  Buffer out(out_step);
  std::size_t idle = 0;
  while (idle < 3) {
    const auto at = static_cast<std::size_t>(outcome.consumed);
    auto step = decoder.decode(in.subspan(at, std::min(in_step, in.size() - at)), out);
    if (!step) {
      outcome.error = step.error();
      return outcome;
    }
    outcome.consumed += step->consumed;
    outcome.plain += text_of(Bytes{out}.first(step->produced));
    if (step->stream_end) {
      outcome.ended = true;
      return outcome;
    }
    idle = step->consumed == 0 && step->produced == 0 ? idle + 1 : 0;
  }
  return outcome;
}

class StreamCodecs : public ::testing::TestWithParam<Codec> {};
INSTANTIATE_TEST_SUITE_P(Both, StreamCodecs, ::testing::Values(Codec::kZlib, Codec::kBzip2));

TEST_P(StreamCodecs, GiveBackWhatWasPackedWhateverThePieces) {
  const std::string text = sample_text();
  const Buffer packed = pack(bytes_of(text), GetParam());
  for (const std::size_t in_step : {std::size_t{1}, std::size_t{2}, std::size_t{7}, std::size_t{64}, packed.size()}) {
    for (const std::size_t out_step : {std::size_t{1}, std::size_t{3}, std::size_t{100}, std::size_t{100000}}) {
      const auto decoder = make_decoder(GetParam());
      const Outcome outcome = decode_all(*decoder, packed, in_step, out_step);
      EXPECT_TRUE(outcome.ended) << in_step << " " << out_step;
      EXPECT_EQ(outcome.plain, text) << in_step << " " << out_step;
      EXPECT_EQ(outcome.consumed, static_cast<std::ptrdiff_t>(packed.size())) << in_step << " " << out_step;
    }
  }
}

TEST_P(StreamCodecs, ConsumeNothingBehindTheStreamsEnd) {
  for (const std::string& text : {std::string{}, std::string{"x"}, sample_text()}) {
    const Buffer packed = pack(bytes_of(text), GetParam());
    for (const std::size_t behind : {0U, 1U, 2U, 3U, 7U, 8U, 9U, 17U}) {
      Buffer in = packed;
      in.resize(in.size() + behind, std::byte{0xab});
      for (std::size_t in_step = 1; in_step < 24; ++in_step) {
        const auto decoder = make_decoder(GetParam());
        const Outcome outcome = decode_all(*decoder, in, in_step, 100000);
        ASSERT_TRUE(outcome.ended);
        ASSERT_EQ(outcome.plain, text);
        ASSERT_EQ(outcome.consumed, static_cast<std::ptrdiff_t>(packed.size())) << behind << " " << in_step;
      }
    }
  }
}

TEST_P(StreamCodecs, GiveBackNoMoreThanTheySay) {
  const Buffer packed = pack(bytes_of("abc"), GetParam());
  Buffer in = packed;
  in.resize(in.size() + 64);
  const auto decoder = make_decoder(GetParam());
  Buffer out(64);
  for (std::size_t at = 0; at < in.size(); ++at) {
    auto step = decoder->decode(Bytes{in}.subspan(at, 1), out);
    ASSERT_TRUE(step);
    ASSERT_GE(step->consumed, -static_cast<std::ptrdiff_t>(Decoder::kGivenBack));
    if (step->stream_end) return;
  }
  FAIL() << "the stream never ended";
}

TEST_P(StreamCodecs, BeginStreamForgetsTheOneBefore) {
  const auto decoder = make_decoder(GetParam());
  const Buffer first = pack(bytes_of("first"), GetParam());
  const Buffer second = pack(bytes_of("second"), GetParam());
  EXPECT_EQ(decode_all(*decoder, first, 1000, 1000).plain, "first");
  decoder->begin_stream();
  EXPECT_EQ(decode_all(*decoder, second, 1000, 1000).plain, "second");
  decoder->begin_stream();
  EXPECT_FALSE(decode_all(*decoder, Bytes{first}.first(first.size() - 3), 1000, 1000).ended);
  decoder->begin_stream();
  EXPECT_EQ(decode_all(*decoder, second, 1000, 1000).plain, "second");
}

TEST_P(StreamCodecs, NeverEndOnACutStream) {
  const Buffer packed = pack(bytes_of(sample_text()), GetParam());
  for (std::size_t size = 0; size < packed.size(); size += size < 100 ? 1 : 13) {
    const auto decoder = make_decoder(GetParam());
    const Outcome outcome = decode_all(*decoder, Bytes{packed}.first(size), 1000, 1000);
    ASSERT_FALSE(outcome.ended) << size;
    ASSERT_EQ(outcome.error.code, ErrorCode::kNone) << size;
    ASSERT_TRUE(sample_text().starts_with(outcome.plain)) << size;
  }
}

TEST_P(StreamCodecs, FindEveryFlippedBit) {
  const std::string text = "nobody changes this";
  const Buffer packed = pack(bytes_of(text), GetParam());
  for (std::size_t bit = 0; bit < packed.size() * 8; ++bit) {
    Buffer flipped = packed;
    flipped[bit / 8] ^= static_cast<std::byte>(1U << (bit % 8));
    const auto decoder = make_decoder(GetParam());
    const Outcome outcome = decode_all(*decoder, flipped, 1000, 1000);
    // A flip in the padding behind the last block, or in what only tells the size of buffers, changes nothing.
    if (outcome.ended) {
      EXPECT_EQ(outcome.plain, text) << bit;
    } else {
      EXPECT_TRUE(outcome.error.code == ErrorCode::kDamaged || outcome.error.code == ErrorCode::kNone) << bit;
    }
  }
}

TEST_P(StreamCodecs, RefuseNoise) {
  Buffer noise(1000);
  std::uint32_t state = 12345;
  for (std::byte& b : noise) state = state * 1664525 + 1013904223, b = static_cast<std::byte>(state >> 24);
  const auto decoder = make_decoder(GetParam());
  EXPECT_EQ(decode_all(*decoder, noise, 1000, 1000).error.code, ErrorCode::kDamaged);
}

TEST(ZlibDecoder, NamesAWrongChecksum) {
  Buffer packed = pack(bytes_of("checksum"), Codec::kZlib);
  packed.back() ^= std::byte{1};
  const auto decoder = make_decoder(Codec::kZlib);
  const Outcome outcome = decode_all(*decoder, packed, 1000, 1000);
  EXPECT_EQ(outcome.error.code, ErrorCode::kDamaged);
  EXPECT_STREQ(outcome.error.what, "checksum of a compressed stream is wrong");
}

TEST(ZlibDecoder, RefusesAStreamWithADictionary) {
  // 78 bb: deflate with a preset dictionary; its checksum, then an empty final block and Adler-32 of nothing.
  const unsigned char raw[] = {0x78, 0xbb, 0x01, 0x02, 0x03, 0x04, 0x03, 0x00, 0x00, 0x00, 0x00, 0x01};
  const auto decoder = make_decoder(Codec::kZlib);
  const Outcome outcome = decode_all(*decoder, std::as_bytes(std::span{raw}), 1000, 1000);
  EXPECT_FALSE(outcome.ended);
  EXPECT_EQ(outcome.error.code, ErrorCode::kDamaged);
}

TEST(PlainDecoder, CopiesAndMayEndAnywhere) {
  const auto decoder = make_decoder(Codec::kNone);
  const Buffer in = bytes_of("0123456789");
  Buffer out(4);
  auto step = decoder->decode(in, out);
  ASSERT_TRUE(step);
  EXPECT_EQ(step->consumed, 4);
  EXPECT_EQ(step->produced, 4U);
  EXPECT_TRUE(step->stream_end);
  EXPECT_EQ(text_of(out), "0123");
}

TEST(MakeDecoder, KnowsOnlyThreeCodecs) { EXPECT_EQ(make_decoder(static_cast<Codec>(9)), nullptr); }

// The library is written in assembler, which no sanitizer watches: pages that cannot be touched stand at both
// ends of the output instead.
class GuardedPages {
 public:
  GuardedPages()
      : base_(static_cast<std::byte*>(::mmap(nullptr, 3 * kPage, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {
    if (::mprotect(base_ + kPage, kPage, PROT_READ | PROT_WRITE) != 0) std::abort();
  }
  ~GuardedPages() { ::munmap(base_, 3 * kPage); }
  GuardedPages(const GuardedPages&) = delete;
  GuardedPages& operator=(const GuardedPages&) = delete;

  [[nodiscard]] MutableBytes at_end(std::size_t size) const { return {base_ + 2 * kPage - size, size}; }
  [[nodiscard]] MutableBytes at_begin(std::size_t size) const { return {base_ + kPage, size}; }

 private:
  static constexpr std::size_t kPage = 4096;
  std::byte* base_;
};

TEST_P(StreamCodecs, TouchNothingOutsideTheirBuffers) {
  const std::string text = sample_text();
  const Buffer packed = pack(bytes_of(text), GetParam());
  const GuardedPages in_pages;
  const GuardedPages out_pages;
  for (std::size_t size = 1; size < 300; size += size < 40 ? 1 : 37) {
    for (const bool at_end : {true, false}) {
      const auto decoder = make_decoder(GetParam());
      std::string plain;
      std::size_t at = 0;
      for (bool ended = false; !ended;) {
        const std::size_t piece = std::min(size, packed.size() - at);
        const MutableBytes in = at_end ? in_pages.at_end(piece) : in_pages.at_begin(piece);
        const MutableBytes out = at_end ? out_pages.at_end(size) : out_pages.at_begin(size);
        std::copy_n(packed.begin() + static_cast<std::ptrdiff_t>(at), piece, in.begin());
        auto step = decoder->decode(in, out);
        ASSERT_TRUE(step);
        at = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(at) + step->consumed);
        plain += text_of(out.first(step->produced));
        ended = step->stream_end;
      }
      ASSERT_EQ(plain, text);
    }
  }
}

}  // namespace
}  // namespace trikal::log
