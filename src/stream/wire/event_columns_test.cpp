#include "stream/wire/event_columns.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace trikal::stream {
namespace {

struct Events {
  std::vector<EventRecord> events;
  std::vector<EventDetails> details;
};

std::vector<std::byte> bytes_of(const Events& from) {
  std::vector<std::byte> bytes;
  append_event_columns(bytes, from.events, from.details);
  return bytes;
}

void expect_same(const Events& from) {
  const std::vector<std::byte> bytes = bytes_of(from);
  const auto columns = EventColumns::open(bytes);
  ASSERT_TRUE(columns.ok()) << columns.error().what;
  EXPECT_EQ(columns->count(), from.events.size());
  Events back;
  ASSERT_TRUE(columns->append_to(back.events, back.details).ok());
  EXPECT_EQ(back.events, from.events);
  EXPECT_EQ(back.details, from.details);
}

Events extremes() {
  constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min(), kMost = -1 - kLeast;
  Events all;
  for (const std::int64_t value : {kLeast, kMost, std::int64_t{0}, kLeast, std::int64_t{-1}, kMost}) {
    const auto bits = static_cast<std::uint64_t>(value);
    all.events.push_back({.begin = value,
                          .duration = -1 - value,
                          .offset = value,
                          .length = kMost,
                          .file = bits,
                          .call_site = ~bits,
                          .thread = static_cast<std::uint32_t>(bits),
                          .rank = static_cast<std::int32_t>(value),
                          .operation = static_cast<std::uint16_t>(bits),
                          .sequence = static_cast<std::uint32_t>(~bits)});
    all.details.push_back({.highest_read = value,
                           .switches = kLeast,
                           .selected = value,
                           .point_selects = static_cast<std::int32_t>(value),
                           .dimensions = static_cast<std::int16_t>(value),
                           .selection = static_cast<std::uint16_t>(bits)});
  }
  return all;
}

TEST(EventColumns, ExtremesComeBack) {
  expect_same({});
  expect_same({.events = {EventRecord{}}, .details = {}});
  expect_same(extremes());
  expect_same({.events = extremes().events, .details = {}});
}

TEST(EventColumns, RandomValuesComeBack) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 50; ++round) {
    Events all;
    for (std::size_t i = random() % 300; i > 0; --i) {
      const unsigned shift = random() % 64;
      const auto value = [&] { return static_cast<std::int64_t>(random() >> shift) - (random() & 1 ? 0 : 5); };
      all.events.push_back({value(), value(), value(), value(), random() >> shift, random(),
                            static_cast<std::uint32_t>(random() % 9), static_cast<std::int32_t>(value()),
                            static_cast<std::uint16_t>(random()), 0, static_cast<std::uint32_t>(random())});
      if (round % 2 == 0) all.details.push_back({value(), value(), value(), value(), value(), value(), 1, 2, 3, 4, 1});
    }
    expect_same(all);
  }
}

TEST(EventColumns, CutOrLongerIsRefused) {
  const std::vector<std::byte> bytes = bytes_of(extremes());
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(EventColumns::open(Bytes(bytes).first(size)).ok()) << size;
  std::vector<std::byte> longer = bytes;
  longer.push_back({});
  EXPECT_FALSE(EventColumns::open(longer).ok());
}

// What is accepted is what was written: no two ways to write the same, but for numbers with needless bytes.
TEST(EventColumns, ChangedBytesAreRefusedOrChangeAValue) {
  const Events from = extremes();
  const std::vector<std::byte> bytes = bytes_of(from);
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::vector<std::byte> changed = bytes;
    changed[at] ^= std::byte{0x01};
    const auto columns = EventColumns::open(changed);
    Events back;
    if (!columns || !columns->append_to(back.events, back.details)) continue;
    EXPECT_TRUE(back.events != from.events || back.details != from.details) << at;
  }
}

TEST(EventColumns, MoreEventsThanBytesAreRefused) {
  std::vector<std::byte> bytes = bytes_of({});
  bytes[0] = std::byte{100};
  EXPECT_FALSE(EventColumns::open(bytes).ok());
}

// Those that begin together have the names that callers see.
TEST(EventColumns, NamesOfOperations) {
  EXPECT_EQ(event_operation_name(3).word, "write");
  EXPECT_EQ(event_operation_name(3).interface, "POSIX");
  EXPECT_TRUE(event_operation_name(1024).word.empty());
}

}  // namespace
}  // namespace trikal::stream
