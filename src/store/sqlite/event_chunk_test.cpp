#include "store/sqlite/event_chunk.hpp"

#include <gtest/gtest.h>

#include <random>

namespace trikal::storage {
namespace {

using stream::EventDetails;
using stream::EventRecord;

std::vector<EventRecord> sequential(std::size_t count) {
  std::vector<EventRecord> events;
  for (std::size_t i = 0; i < count; ++i)
    events.push_back({.begin = 1'700'000'000'000'000'000 + static_cast<std::int64_t>(1000 * i),
                      .duration = 400 + static_cast<std::int64_t>(i % 7),
                      .offset = static_cast<std::int64_t>(4096 * i),
                      .length = 4096,
                      .file = 3,
                      .operation = 3,
                      .sequence = static_cast<std::uint32_t>(i)});
  return events;
}

void expect_same(const std::vector<EventRecord>& events, const std::vector<EventDetails>& details, Packing packing) {
  const auto bytes = make_chunk(events, details, packing);
  ASSERT_TRUE(bytes.ok());
  const auto chunk = EventChunk::open(*bytes);
  ASSERT_TRUE(chunk.ok()) << chunk.error().what;
  std::vector<EventRecord> back;
  std::vector<EventDetails> back_details;
  ASSERT_TRUE(chunk->columns().append_to(back, back_details).ok());
  EXPECT_EQ(back, events);
  EXPECT_EQ(back_details, details);
}

TEST(EventChunk, ComesBackCompressedOrNot) {
  std::mt19937_64 random(3);
  for (const Packing packing : {Packing::kPlain, Packing::kDeflate}) {
    expect_same({}, {}, packing);
    expect_same(sequential(kMostInChunk), {}, packing);
    std::vector<EventRecord> noise(1000);
    std::vector<EventDetails> details(1000);
    for (EventRecord& event : noise)
      event = {.begin = static_cast<std::int64_t>(random()),
               .offset = INT64_MIN,
               .length = INT64_MAX,
               .file = random(),
               .call_site = random()};
    for (EventDetails& detail : details) detail.selected = static_cast<std::int64_t>(random());
    expect_same(noise, details, packing);
  }
}

TEST(EventChunk, SequentialWritesTakeFewBytes) {
  const auto bytes = make_chunk(sequential(kMostInChunk), {}, Packing::kDeflate);
  EXPECT_LT(bytes->size(), kMostInChunk);  // less than a byte each
}

TEST(EventChunk, DamageIsNoticed) {
  for (const Packing packing : {Packing::kPlain, Packing::kDeflate}) {
    const auto bytes = make_chunk(sequential(50), {}, packing);
    for (std::size_t at = 0; at < bytes->size(); ++at) {
      auto changed = *bytes;
      changed[at] ^= std::byte{0x40};
      EXPECT_FALSE(EventChunk::open(changed).ok()) << at;
      EXPECT_FALSE(EventChunk::open(Bytes(*bytes).first(at)).ok()) << at;
    }
  }
}

}  // namespace
}  // namespace trikal::storage
