// Maps that lie. Everything a reader is told must be inside the bytes it was given; the sanitizer build watches.

#include "log/crash/view.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

#include "support/map_builder.hpp"

namespace trikal::log::crash {
namespace {

using trikal::testing::MapBuilder;

constexpr std::size_t kNames = kHeaderBytes, kNamesBytes = 192;
constexpr std::size_t kRecords = kNames + kNamesBytes, kRecordsBytes = 192;
constexpr std::size_t kMore = kRecords + kRecordsBytes;
constexpr std::size_t kEnd = kMore + 128;

// A chunk of names ("one", "two"), one of four slots of which three are used, one of a single slot.
MapBuilder sample() {
  MapBuilder map;
  EXPECT_EQ(map.add_chunk({.kind = ChunkKind::kNames, .slots = 128}), kNames);
  map.add_name(kNames, 1, "one"), map.add_name(kNames, 2, "two");
  EXPECT_EQ(map.add_chunk({.kind = ChunkKind::kRecords, .module = 1, .stride = 32, .record_bytes = 16, .slots = 4}),
            kRecords);
  for (std::uint64_t id = 1; id <= 3; ++id) map.add_slot(kRecords, std::as_bytes(std::span(&id, 1)));
  const std::uint64_t id = 9;
  EXPECT_EQ(map.add_one(ChunkKind::kExtras, 1, std::as_bytes(std::span(&id, 1))), kMore);
  EXPECT_EQ(map.bytes().size(), kEnd);
  return map;
}

struct Seen {
  std::size_t chunks = 0, slot_bytes = 0, name_bytes = 0, records = 0;
  unsigned sum = 0;  // so that every byte is read
};

Seen walk(Bytes bytes) {
  Seen seen;
  const auto view = MapView::open(bytes);
  if (!view) return seen;
  for (const char c : view->arguments()) seen.sum += static_cast<unsigned char>(c);
  for (const char c : view->program()) seen.sum += static_cast<unsigned char>(c);
  for (const char c : view->mounts()) seen.sum += static_cast<unsigned char>(c);
  view->for_each_chunk([&](const Chunk& chunk, Bytes slots) {
    ++seen.chunks;
    seen.slot_bytes += slots.size();
    for (const std::byte b : slots) seen.sum += std::to_integer<unsigned>(b);
    if (chunk.kind == ChunkKind::kRecords) seen.records += slots.size() / chunk.stride;
    if (chunk.kind != ChunkKind::kNames) return;
    for_each_name(slots, [&](std::uint64_t, std::string_view name) { seen.name_bytes += name.size(); });
  });
  return seen;
}

std::vector<std::byte> cut(const MapBuilder& map, std::size_t size) {
  return {map.bytes().begin(), map.bytes().begin() + static_cast<std::ptrdiff_t>(size)};
}

Error damage_of(Bytes bytes) {
  const auto view = MapView::open(bytes);
  return view ? view->damage().error() : view.error();
}

TEST(CrashMap, IsReadAsItWasWritten) {
  const MapBuilder map = sample();
  const Seen seen = walk(map.bytes());
  EXPECT_EQ(seen.chunks, 3U);
  EXPECT_EQ(seen.slot_bytes, 32U + 3 * 32 + 8);
  EXPECT_EQ(seen.name_bytes, 6U);
  EXPECT_TRUE(MapView::open(map.bytes())->damage().ok());
}

TEST(CrashMap, WithoutAChunkIsSound) { EXPECT_EQ(damage_of(MapBuilder().bytes()).code, ErrorCode::kNone); }

TEST(CrashMap, CutAnywhereGivesWhatIsWholeAndSaysWhere) {
  const MapBuilder map = sample();
  for (std::size_t size = 0; size < kEnd; ++size) {
    const std::vector<std::byte> bytes = cut(map, size);
    const Seen seen = walk(bytes);
    const std::size_t slots = kRecords + kChunkHeader;
    EXPECT_EQ(seen.records, size < slots ? 0 : std::min<std::size_t>(3, (size - slots) / 32)) << size;
    const std::size_t names = kNames + kChunkHeader;
    EXPECT_EQ(seen.name_bytes, size < names + 16 ? 0U : size < names + 32 ? 3U : 6U) << size;
    const Error error = damage_of(bytes);
    EXPECT_EQ(error.code, size < kHeaderBytes ? ErrorCode::kDamaged : ErrorCode::kTruncated) << size;
    EXPECT_EQ(error.offset, size);
  }
}

TEST(CrashMap, OthersAreRefused) {
  const auto offset_with = [](auto change) {
    MapBuilder map = sample();
    change(map.header());
    const auto view = MapView::open(map.bytes());
    return view ? Error::kNoOffset : view.error().offset;
  };
  EXPECT_EQ(offset_with([](Header& header) { header.magic += 1; }), 0U);
  EXPECT_EQ(offset_with([](Header& header) { header.layout += 1; }), 8U);
  EXPECT_EQ(offset_with([](Header& header) { header.header_bytes /= 2; }), 8U);
  EXPECT_EQ(offset_with([](Header&) {}), Error::kNoOffset);
}

TEST(CrashMap, ALyingChunkIsLeftOutAndTheRestIsRead) {
  const auto with = [](auto lie) {
    MapBuilder map = sample();
    lie(map.chunk(kRecords));
    EXPECT_EQ(damage_of(map.bytes()).code, ErrorCode::kDamaged);
    EXPECT_EQ(damage_of(map.bytes()).offset, kRecords);
    const Seen seen = walk(map.bytes());
    return seen.records == 0 ? seen.chunks : 0;
  };
  EXPECT_EQ(with([](Chunk& c) { c.count = 5; }), 2U);
  EXPECT_EQ(with([](Chunk& c) { c.capacity = 0xffffffff; }), 2U);
  EXPECT_EQ(with([](Chunk& c) { c.capacity = 1; }), 2U);
  EXPECT_EQ(with([](Chunk& c) { c.stride = 0xffffffff; }), 2U);
  EXPECT_EQ(with([](Chunk& c) { c.stride = 0; }), 2U);
  EXPECT_EQ(with([](Chunk& c) { c.record_bytes = 33; }), 2U);
  EXPECT_EQ(with([](Chunk& c) { c.bytes = 0; }), 2U);
  EXPECT_EQ(with([](Chunk& c) { c.bytes += kChunkAlign; }), 2U);
  EXPECT_EQ(with([](Chunk& c) { c.bytes = 0xffffffc0; }), 2U);
  EXPECT_EQ(with([](Chunk& c) { c.mark = 0; }), 2U);
  EXPECT_EQ(with([](Chunk& c) { std::memset(static_cast<void*>(&c), 0xff, kChunkHeader); }), 2U);
}

TEST(CrashMap, ALieAboutHowMuchIsInUseIsFound) {
  MapBuilder map = sample();
  map.header().used = ~std::uint64_t{0};
  EXPECT_EQ(walk(map.bytes()).chunks, 3U);
  EXPECT_EQ(damage_of(map.bytes()).offset, kEnd);
  map.header().used = kHeaderBytes - 1;
  EXPECT_EQ(walk(map.bytes()).chunks, 0U);
  EXPECT_EQ(damage_of(map.bytes()).offset, offsetof(Header, used));
}

TEST(CrashMap, LyingLengthsOfTextAndNamesStayInside) {
  MapBuilder map = sample();
  map.set_text("app", "/bin/app", "\next4\t/");
  map.header().arguments_bytes = 4090;
  map.header().program_bytes = 0xffffffff;
  map.header().mounts_bytes = 0xffffffff;
  store(map.at(kNames + kChunkHeader + 8), std::uint32_t{0xfffffff0});
  EXPECT_EQ(walk(map.bytes()).name_bytes, 0U);
  const auto view = MapView::open(map.bytes());
  EXPECT_EQ(view->arguments().size(), 4090U);
  EXPECT_EQ(view->program().size(), kTextBytes - 4090);
  EXPECT_TRUE(view->mounts().empty());
}

TEST(CrashMap, RandomDamageIsSurvived) {
  std::mt19937 random(20261115);
  for (int round = 0; round < 20000; ++round) {
    MapBuilder map = sample();
    for (int i = 0; i < 4; ++i) {
      const bool in_header = random() % 2 == 0;
      const std::size_t offset = in_header ? random() % 256 : kHeaderBytes + random() % (kEnd - kHeaderBytes);
      *map.at(offset) = static_cast<std::byte>(random());
    }
    EXPECT_LE(walk(map.bytes()).slot_bytes, kEnd - kHeaderBytes);
    EXPECT_LE(damage_of(map.bytes()).code == ErrorCode::kNone ? 0 : damage_of(map.bytes()).offset, kEnd);
  }
}

}  // namespace
}  // namespace trikal::log::crash
