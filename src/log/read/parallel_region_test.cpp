#include "log/read/parallel_region.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <span>

#include "log/codec/encoder.hpp"
#include "log/read/drain_test.hpp"
#include "log/read/stream_index.hpp"

namespace trikal::log {
namespace {

// A region of many streams of uneven size, with a little before and behind it.
struct Region {
  std::vector<std::byte> file, plain;
  std::vector<StreamEntry> streams;
  Extent extent;
};

Region make_region(std::size_t count) {
  Region region;
  std::mt19937 random(11);
  std::vector<std::byte> memory(kZlibEncoderBytes), packed(1 << 20);
  auto encoder = make_zlib_encoder(memory);
  EXPECT_TRUE(encoder);
  region.file.resize(1000);
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<std::byte> plain(i % 7 == 3 ? i : random() % 60000);
    for (std::byte& byte : plain) byte = static_cast<std::byte>(random() % 9);
    EXPECT_TRUE(encoder->begin_stream());
    auto step = encoder->encode(plain, packed, true);
    EXPECT_TRUE(step && step->stream_end);
    region.streams.push_back({3, {region.file.size(), step->produced}, {region.plain.size(), plain.size()}});
    region.file.insert(region.file.end(), packed.begin(), packed.begin() + static_cast<std::ptrdiff_t>(step->produced));
    region.plain.insert(region.plain.end(), plain.begin(), plain.end());
  }
  region.extent = {1000, region.file.size() - 1000};
  region.file.resize(region.file.size() + 100);
  return region;
}

void expect_same(const Region& region, std::size_t sound_bytes = 0) {
  const Limits limits;
  const auto source = from_memory(region.file);
  const Drained serial = drain(*open_region(*source, region.extent, Codec::kZlib, limits));
  for (const unsigned threads : {1U, 2U, 5U}) {
    auto parallel = open_parallel(*source, region.extent, Codec::kZlib, limits, region.streams, threads);
    ASSERT_NE(parallel, nullptr);
    const Drained outcome = drain(*parallel);
    // What a damaged stream gives before it breaks depends on where a block ends, serially too.
    const bool whole = serial.error.code == ErrorCode::kNone;
    const auto common = static_cast<std::ptrdiff_t>(std::min(outcome.plain.size(), serial.plain.size()));
    EXPECT_TRUE(!whole || outcome.plain.size() == serial.plain.size());
    EXPECT_TRUE(std::equal(serial.plain.begin(), serial.plain.begin() + common, outcome.plain.begin()));
    EXPECT_GE(outcome.plain.size(), sound_bytes);
    EXPECT_EQ(outcome.error.code, serial.error.code);
    EXPECT_STREQ(outcome.error.what, serial.error.what);
  }
}

TEST(ParallelRegion, GivesTheSameBytes) {
  const Region region = make_region(60);
  const auto source = from_memory(region.file);
  auto stream = open_parallel(*source, region.extent, Codec::kZlib, {}, region.streams, 3);
  ASSERT_NE(stream, nullptr);
  const std::string plain = drain(*stream).plain;
  EXPECT_TRUE(std::ranges::equal(std::as_bytes(std::span(plain)), region.plain));
  expect_same(region);
}

TEST(ParallelRegion, DamageGivesTheSameBytesAndTheSameError) {
  const Region good = make_region(40);
  for (const std::size_t stream : {0U, 1U, 20U, 39U}) {
    for (const std::uint64_t into : {std::uint64_t{0}, std::uint64_t{5}, good.streams[stream].packed.length - 2}) {
      Region region = good;
      region.file[region.streams[stream].packed.offset + into] ^= std::byte{0x55};
      SCOPED_TRACE(testing::Message() << "stream " << stream << " byte " << into);
      expect_same(region, region.streams[stream].plain.offset);
    }
  }
}

TEST(ParallelRegion, AnIndexThatLiesChangesNothing) {
  const Region good = make_region(30);
  for (const int shift : {-1, 1, 30}) {
    Region region = good;  // one stream begins elsewhere
    region.streams[8].packed.length += static_cast<std::uint64_t>(shift);
    region.streams[9].packed.offset += static_cast<std::uint64_t>(shift);
    region.streams[9].packed.length -= static_cast<std::uint64_t>(shift);
    expect_same(region);
    region = good;  // one is said to be longer or shorter
    region.streams[12].plain.length += static_cast<std::uint64_t>(shift);
    expect_same(region);
  }
  Region region = good;  // two are said to be one
  region.streams[4].packed.length += region.streams[5].packed.length;
  region.streams[4].plain.length += region.streams[5].plain.length;
  region.streams.erase(region.streams.begin() + 5);
  expect_same(region);
}

TEST(ParallelRegion, MayBeLeftInTheMiddle) {
  const Region region = make_region(50);
  const auto source = from_memory(region.file);
  auto stream = open_parallel(*source, region.extent, Codec::kZlib, {}, region.streams, 4);
  Block block;
  ASSERT_TRUE(stream->next(block));
  stream.reset();
}

}  // namespace
}  // namespace trikal::log
