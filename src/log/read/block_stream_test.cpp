#include "log/read/block_stream.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "log/read/drain_test.hpp"
#include "support/log_builder.hpp"

namespace trikal::log {
namespace {

using testing::Buffer;
using testing::bytes_of;
using testing::pack;
using testing::pack_cut;

// The region lies between other bytes, as in a log.
Drained read_region(const Buffer& packed, Codec codec, std::size_t stage = kStageBytes, const Limits& limits = {}) {
  Buffer file = bytes_of("before it");
  testing::append(file, packed);
  testing::append(file, pack(bytes_of("behind it"), codec));
  const auto source = from_memory(std::move(file));
  return drain(*open_region(*source, {9, packed.size()}, codec, limits, stage));
}

std::string digits(std::size_t size) {
  std::string text(size, '\0');
  for (std::size_t i = 0; i < size; ++i) text[i] = static_cast<char>('a' + (i * i + i / 7) % 23);
  return text;
}

// Cuts into pieces of 0, 1, 2 ... bytes, over and over: many streams end within a few bytes of each other.
std::vector<std::size_t> tiny_cuts(std::size_t size) {
  std::vector<std::size_t> cuts;
  for (std::size_t at = 0, step = 0; at < size; at += step, step = (step + 1) % 9) cuts.push_back(at);
  return cuts;
}

class Codecs : public ::testing::TestWithParam<Codec> {};
INSTANTIATE_TEST_SUITE_P(All, Codecs, ::testing::Values(Codec::kZlib, Codec::kBzip2, Codec::kNone));

class StreamCodecs : public Codecs {};  // plain bytes have no streams that could be cut
INSTANTIATE_TEST_SUITE_P(Both, StreamCodecs, ::testing::Values(Codec::kZlib, Codec::kBzip2));

TEST_P(Codecs, OneStream) {
  const std::string text = digits(5000);
  const Drained outcome = read_region(pack(bytes_of(text), GetParam()), GetParam());
  EXPECT_EQ(outcome.plain, text);
  EXPECT_EQ(outcome.error.code, ErrorCode::kNone);
}

TEST_P(Codecs, EmptyRegionIsAnEnd) {
  const Drained outcome = read_region({}, GetParam());
  EXPECT_EQ(outcome.offsets.size(), 0U);
  EXPECT_EQ(outcome.error.code, ErrorCode::kNone);
}

TEST_P(Codecs, MoreThanOneBlock) {
  const std::string text = digits(3 * Block::kCapacity + 17);
  for (const std::size_t stage : {std::size_t{1000}, std::size_t{4096}, kStageBytes}) {
    const Drained outcome = read_region(pack(bytes_of(text), GetParam()), GetParam(), stage);
    EXPECT_EQ(outcome.plain.size(), text.size());
    EXPECT_EQ(outcome.plain, text);
    EXPECT_EQ(outcome.offsets.size(), 4U);
  }
}

TEST_P(Codecs, ExactlyOneBlock) {
  const std::string text = digits(Block::kCapacity);
  const Drained outcome = read_region(pack(bytes_of(text), GetParam()), GetParam());
  EXPECT_EQ(outcome.plain, text);
  EXPECT_EQ(outcome.offsets.size(), 1U);
  EXPECT_EQ(outcome.error.code, ErrorCode::kNone);
}

TEST_P(Codecs, HundredsOfTinyStreamsWithEveryStageBoundary) {
  const std::string text = digits(GetParam() == Codec::kBzip2 ? 120 : 1200);
  const Buffer packed = pack_cut(bytes_of(text), GetParam(), tiny_cuts(text.size()));
  for (std::size_t stage = 1; stage <= 64; ++stage) {
    const Drained outcome = read_region(packed, GetParam(), stage);
    ASSERT_EQ(outcome.plain, text) << "stage of " << stage;
    ASSERT_EQ(outcome.error.code, ErrorCode::kNone) << "stage of " << stage << ": " << outcome.error.what;
  }
}

// A stream that ends where a block is full: the decoder has read on into the next stream, waits for space, and may
// give back bytes that a refill has pushed out of the stage.
TEST_P(StreamCodecs, StreamsThatEndWithABlock) {
  for (const std::size_t first : {Block::kCapacity - 1, Block::kCapacity, Block::kCapacity + 1}) {
    const std::string text = std::string(first, 'x') + digits(60);
    std::vector<std::size_t> cuts;
    for (std::size_t at = first; at < text.size(); at += 5) cuts.push_back(at);
    const Buffer packed = pack_cut(bytes_of(text), GetParam(), cuts);
    for (std::size_t stage = 1; stage <= 64; stage += GetParam() == Codec::kZlib ? 1 : 21) {
      const Drained outcome = read_region(packed, GetParam(), stage);
      ASSERT_EQ(outcome.error.code, ErrorCode::kNone) << first << ", stage of " << stage << ": " << outcome.error.what;
      ASSERT_TRUE(outcome.plain == text) << first << ", stage of " << stage;
    }
  }
}

TEST_P(StreamCodecs, NothingButEmptyStreams) {
  Buffer packed;
  for (int i = 0; i < 200; ++i) testing::append(packed, pack({}, GetParam()));
  for (const std::size_t stage : {std::size_t{1}, std::size_t{7}, std::size_t{8}, std::size_t{9}, kStageBytes}) {
    const Drained outcome = read_region(packed, GetParam(), stage);
    EXPECT_EQ(outcome.offsets.size(), 0U) << stage;
    EXPECT_EQ(outcome.error.code, ErrorCode::kNone) << stage;
  }
}

// Cut anywhere: what comes out is a prefix, and everything of the streams before the cut; then an error, unless
// the cut is between two streams.
TEST_P(StreamCodecs, CutAnywhereGivesEverythingBefore) {
  const std::string text = digits(600);
  const std::vector<std::size_t> cuts = {100, 101, 300, 450};
  const Buffer packed = pack_cut(bytes_of(text), GetParam(), cuts);
  std::vector<std::pair<std::size_t, std::size_t>> ends = {{0, 0}};  // packed, plain
  for (std::size_t i = 0, at = 0; i <= cuts.size(); ++i) {
    const std::size_t end = i < cuts.size() ? cuts[i] : text.size();
    ends.emplace_back(ends.back().first + pack(bytes_of(text.substr(at, end - at)), GetParam()).size(), end);
    at = end;
  }
  ASSERT_EQ(ends.back().first, packed.size());
  for (std::size_t size = 0; size <= packed.size(); ++size) {
    const Buffer part(packed.begin(), packed.begin() + static_cast<std::ptrdiff_t>(size));
    const Drained outcome = read_region(part, GetParam(), 32);
    const auto next = std::ranges::upper_bound(ends, size, {}, &std::pair<std::size_t, std::size_t>::first);
    const auto [stream_end, plain_end] = *std::prev(next);
    ASSERT_TRUE(text.starts_with(outcome.plain)) << size;
    ASSERT_GE(outcome.plain.size(), plain_end) << size;
    if (size == stream_end) {
      ASSERT_EQ(outcome.error.code, ErrorCode::kNone) << size;
    } else {
      ASSERT_EQ(outcome.error.code, ErrorCode::kTruncated) << size << " " << outcome.error.what;
    }
    if (size != stream_end) {
      ASSERT_EQ(outcome.error.offset, 9 + size) << "the error points at the cut";
    }
  }
}

TEST_P(StreamCodecs, TheErrorStays) {
  const Buffer packed = pack(bytes_of(digits(100)), GetParam());
  const auto source = from_memory(Buffer(packed.begin(), packed.end() - 2));
  const auto stream = open_region(*source, {0, packed.size() - 2}, GetParam(), {});
  EXPECT_EQ(drain(*stream).error.code, ErrorCode::kTruncated);
  EXPECT_EQ(drain(*stream).error.code, ErrorCode::kTruncated);
}

TEST_P(Codecs, FileShorterThanTheRegion) {
  const Buffer packed = pack(bytes_of(digits(1000)), GetParam());
  const auto source = from_memory(packed);
  const Drained outcome = drain(*open_region(*source, {0, packed.size() + 50}, GetParam(), {}));
  EXPECT_EQ(outcome.plain, digits(1000));
  EXPECT_EQ(outcome.error.code, ErrorCode::kTruncated);
  EXPECT_EQ(outcome.error.offset, packed.size());
}

TEST_P(Codecs, LimitOfExpansion) {
  const std::string text(2 * Block::kCapacity, 'x');
  const Buffer packed = pack(bytes_of(text), GetParam());
  const Limits exact{.expanded = text.size()};
  EXPECT_EQ(read_region(packed, GetParam(), kStageBytes, exact).error.code, ErrorCode::kNone);
  const Limits less{.expanded = text.size() - 1};
  const Drained outcome = read_region(packed, GetParam(), kStageBytes, less);
  EXPECT_EQ(outcome.error.code, ErrorCode::kLimit);
  EXPECT_TRUE(text.starts_with(outcome.plain));
}

TEST(ZlibRegion, ChecksumErrorComesAfterTheData) {
  const std::string text = digits(500);
  Buffer packed = pack_cut(bytes_of(text), Codec::kZlib, std::vector<std::size_t>{200});
  packed.back() ^= std::byte{0x40};
  const Drained outcome = read_region(packed, Codec::kZlib);
  EXPECT_EQ(outcome.error.code, ErrorCode::kDamaged);
  EXPECT_TRUE(text.starts_with(outcome.plain));
  EXPECT_GE(outcome.plain.size(), 200U);
}

TEST(ZlibRegion, GarbageBehindTheLastStream) {
  Buffer packed = pack(bytes_of("hello"), Codec::kZlib);
  testing::append(packed, bytes_of("garbage"));
  const Drained outcome = read_region(packed, Codec::kZlib);
  EXPECT_EQ(outcome.plain, "hello");
  EXPECT_EQ(outcome.error.code, ErrorCode::kDamaged);
  EXPECT_GE(outcome.error.offset, 9 + packed.size() - 7);
}

TEST(ZlibRegion, BlocksSayWhereTheyBegan) {
  const std::string text = digits(2 * Block::kCapacity);
  const Buffer packed = pack(bytes_of(text), Codec::kZlib);
  const auto source = from_memory(packed);
  const auto stream = open_region(*source, {0, packed.size()}, Codec::kZlib, {}, 512);
  Block block;
  std::vector<std::uint64_t> offsets;
  while (*stream->next(block)) offsets.push_back(block.file_offset);
  ASSERT_EQ(offsets.size(), 2U);
  EXPECT_EQ(offsets[0], 0U);
  EXPECT_GT(offsets[1], 0U);
  EXPECT_LT(offsets[1], packed.size());
}

// A source whose reads fail from a byte on.
class FailingSource final : public Source {
 public:
  FailingSource(Buffer bytes, std::uint64_t from) : inner_(from_memory(std::move(bytes))), from_(from) {}
  Result<std::size_t> read_at(std::uint64_t offset, MutableBytes out) const override {
    if (offset >= from_) return Error{.code = ErrorCode::kSystem, .sys_errno = 5, .what = "cannot read"};
    return inner_->read_at(offset, out.first(std::min<std::size_t>(out.size(), from_ - offset)));
  }
  [[nodiscard]] std::uint64_t size() const override { return inner_->size(); }

 private:
  std::unique_ptr<Source> inner_;
  std::uint64_t from_;
};

TEST_P(Codecs, AFailingDiskIsAnErrorAfterTheData) {
  const std::string text = digits(4000);
  const Buffer packed = pack_cut(bytes_of(text), GetParam(), std::vector<std::size_t>{1000, 2000, 3000});
  const FailingSource source(packed, packed.size() * 2 / 3);
  const Drained outcome = drain(*open_region(source, {0, packed.size()}, GetParam(), {}, 16));
  EXPECT_EQ(outcome.error.code, ErrorCode::kSystem);
  EXPECT_EQ(outcome.error.sys_errno, 5);
  EXPECT_TRUE(text.starts_with(outcome.plain));
  EXPECT_GE(outcome.plain.size(), 2000U);
}

}  // namespace
}  // namespace trikal::log
