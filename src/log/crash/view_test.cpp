// Maps that lie. Everything a reader is told must be inside the bytes it was given; the sanitizer build watches.

#include "log/crash/view.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <new>
#include <random>
#include <vector>

#include "log/crash/to_log.hpp"

namespace trikal::log::crash {
namespace {

// A header, a chunk of names ("one", "two") and a chunk of four slots of which three are used.
class MapBytes {
 public:
  MapBytes() : words_((kHeaderBytes + 2 * kChunk) / 8) {
    auto* header = new (at(0)) Header;
    header->magic = kMagic;
    header->layout = kLayout;
    header->header_bytes = kHeaderBytes;
    header->used = kHeaderBytes + 2 * kChunk;
    put_chunk(0, ChunkKind::kNames, 1, 0, kChunk - kChunkHeader);
    put_chunk(1, ChunkKind::kRecords, 32, 16, 4);
    chunk(1).count = 3;
    put_name(1, "one"), put_name(2, "two");
  }

  Header& header() { return *reinterpret_cast<Header*>(at(0)); }
  Chunk& chunk(std::size_t number) { return *reinterpret_cast<Chunk*>(at(kHeaderBytes + number * kChunk)); }
  [[nodiscard]] Bytes bytes() const { return std::as_bytes(std::span(words_)); }
  std::byte* at(std::size_t offset) { return reinterpret_cast<std::byte*>(words_.data()) + offset; }

  static constexpr std::uint32_t kChunk = 256;

 private:
  void put_chunk(std::size_t number, ChunkKind kind, std::uint32_t stride, std::uint32_t record, std::uint32_t slots) {
    new (at(kHeaderBytes + number * kChunk)) Chunk{kind, 1, stride, record, slots, {0}, kChunk, 0};
  }
  void put_name(std::uint64_t id, std::string_view name) {
    Chunk& names = chunk(0);
    std::byte* to = at(kHeaderBytes + kChunkHeader + names.count);
    store(to, id);
    store(to + 8, static_cast<std::uint32_t>(name.size()));
    std::memcpy(to + 12, name.data(), name.size());
    names.count += 16;
  }
  std::vector<std::uint64_t> words_;
};

struct Seen {
  std::size_t chunks = 0, slot_bytes = 0, name_bytes = 0;
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
    if (chunk.kind != ChunkKind::kNames) return;
    for_each_name(slots, [&](std::uint64_t, std::string_view name) { seen.name_bytes += name.size(); });
  });
  return seen;
}

TEST(CrashMap, IsReadAsItWasWritten) {
  const Seen seen = walk(MapBytes().bytes());
  EXPECT_EQ(seen.chunks, 2U);
  EXPECT_EQ(seen.slot_bytes, 32U + 3 * 32);
  EXPECT_EQ(seen.name_bytes, 6U);
}

TEST(CrashMap, CutAnywhereGivesNoMoreThanIsThere) {
  const MapBytes map;
  for (std::size_t size = 0; size < map.bytes().size(); ++size) {
    const std::vector<std::byte> copy(map.bytes().begin(), map.bytes().begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_LE(walk(copy).chunks, size < kHeaderBytes + MapBytes::kChunk ? 0U : 1U) << size;
  }
}

TEST(CrashMap, OthersAreRefused) {
  MapBytes map;
  map.header().magic += 1;
  EXPECT_FALSE(MapView::open(map.bytes()));
  MapBytes newer;
  newer.header().layout += 1;
  EXPECT_FALSE(MapView::open(newer.bytes()));
}

TEST(CrashMap, LyingChunksEndTheWalk) {
  const auto chunks_with = [](auto lie) {
    MapBytes map;
    lie(map.chunk(1));
    return walk(map.bytes()).chunks;
  };
  EXPECT_EQ(chunks_with([](Chunk& c) { c.count = 5; }), 1U);
  EXPECT_EQ(chunks_with([](Chunk& c) { c.capacity = 0xffffffff; }), 1U);
  EXPECT_EQ(chunks_with([](Chunk& c) { c.stride = 0xffffffff; }), 1U);
  EXPECT_EQ(chunks_with([](Chunk& c) { c.record_bytes = 33; }), 1U);
  EXPECT_EQ(chunks_with([](Chunk& c) { c.bytes = 0; }), 1U);
  EXPECT_EQ(chunks_with([](Chunk& c) { c.bytes = 0xffffffc0; }), 1U);
}

TEST(CrashMap, LyingLengthsOfTextAndNamesStayInside) {
  MapBytes map;
  map.header().arguments_bytes = 0xffffffff;
  map.header().program_bytes = 0xffffffff;
  map.header().mounts_bytes = 0xffffffff;
  map.header().used = ~std::uint64_t{0};
  store(map.at(kHeaderBytes + kChunkHeader + 8), std::uint32_t{0xfffffff0});
  EXPECT_EQ(walk(map.bytes()).name_bytes, 0U);
}

TEST(CrashMap, RandomDamageIsSurvived) {
  std::mt19937 random(20261115);
  for (int round = 0; round < 20000; ++round) {
    MapBytes map;
    for (int i = 0; i < 4; ++i) {
      const bool in_header = random() % 2 == 0;
      const std::size_t offset = in_header ? random() % 256 : kHeaderBytes + random() % (2 * MapBytes::kChunk);
      *map.at(offset) = static_cast<std::byte>(random());
    }
    EXPECT_LE(walk(map.bytes()).slot_bytes, 2 * MapBytes::kChunk);
  }
}

}  // namespace
}  // namespace trikal::log::crash
