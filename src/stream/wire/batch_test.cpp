#include "stream/wire/batch.hpp"

#include <gtest/gtest.h>

#include <random>

#include "base/hash.hpp"

namespace trikal::stream {
namespace {

Batch sample() {
  Batch batch{.source = 7, .sequence = 41, .host = "node"};
  batch.runs.push_back({9, 1'700'000'000 * kSecond, "./app 'a b'", "node"});
  batch.processes.push_back({.process = ~std::uint64_t{0},
                             .run = 9,
                             .pid = 12,
                             .parent = 1,
                             .rank = -1,
                             .generation = 2,
                             .state = ProcessState::kGone,
                             .start = -5,
                             .host = "node",
                             .command = "./app",
                             .uid = 1000,
                             .job = std::int64_t{1} << 40,
                             .program = "/opt/app \xff"});
  batch.files.push_back({3, "/scratch/<b>\n\xff"});
  batch.intervals.push_back(
      {100, 200, {{1, 3, 1, Operation::kWrite, {4, 1 << 20, 77}}, {1, 3, 9, Operation::kMetadata, {1, 0, 1}}}});
  batch.intervals.push_back({200, 300, {}});
  batch.system.push_back({300, "cpu.user", "", 0.25});
  batch.findings.push_back({9, 300, "small-writes", "many", "high", -1});
  batch.drops.push_back({1, "kept", 2});
  batch.events.push_back(
      {.process = 1, .run = 9, .events = {{.begin = 5, .file = 3}, {.begin = 4, .rank = 7}}, .details = {}});
  batch.events.push_back({.process = 2, .run = 9, .events = {{.sequence = UINT32_MAX}}, .details = {{.selection = 3}}});
  batch.event_counts.push_back({1, -1, 2, 3, 4, 5, 6});
  batch.rings.push_back({1, RingEntry::kNone, 0, 8, 0, 0});
  batch.operations.push_back({1, 1040, "KV", "put"});
  batch.objects.push_back({1, 2, "/usr/lib/libc.so.6"});
  batch.phases.push_back({1, 7, 2, 3, 100, 0, "a\xff phase"});
  return batch;
}

void mend(std::vector<std::byte>& bytes) {
  store_le(bytes.data() + 8, static_cast<std::uint32_t>(bytes.size() - 16));
  store_le(bytes.data() + 12, crc32c(Bytes{bytes}.subspan(16)));
}

TEST(Wire, ComesBackAsItWas) {
  const auto batch = decode(encode(sample()));
  ASSERT_TRUE(batch.ok()) << batch.error().what;
  EXPECT_EQ(*batch, sample());
  EXPECT_EQ(*decode(encode(Batch{})), Batch{});
}

TEST(Wire, CutAnywhereIsRefused) {
  const auto bytes = encode(sample());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    std::vector<std::byte> cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_FALSE(decode(cut).ok()) << size;
    if (size < 16) continue;
    mend(cut);  // so that only what is inside can tell
    EXPECT_FALSE(decode(cut).ok()) << size;
  }
}

TEST(Wire, ChangedBytesAreNoticed) {
  const auto bytes = encode(sample());
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    auto changed = bytes;
    changed[at] ^= std::byte{0x10};
    EXPECT_FALSE(decode(changed).ok()) << at;
  }
}

TEST(Wire, MoreRowsThanBytesAreRefused) {
  std::vector<std::byte> bytes = encode(Batch{});
  bytes.resize(16 + 3);                  // source, sequence, host
  for (int i = 0; i < 9; ++i) bytes.push_back(std::byte{0xff});
  bytes.push_back(std::byte{1});  // so many runs
  mend(bytes);
  EXPECT_FALSE(decode(bytes).ok());
}

TEST(Wire, WhateverItReadsIsWrittenTheSame) {
  std::mt19937 random(1);
  const auto bytes = encode(sample());
  int accepted = 0;
  for (int i = 0; i < 20000; ++i) {
    auto changed = bytes;
    changed[16 + random() % (changed.size() - 16)] = static_cast<std::byte>(random());
    mend(changed);
    const auto batch = decode(changed);
    if (!batch) continue;
    ++accepted;
    const auto again = decode(encode(*batch));
    ASSERT_TRUE(again.ok());
    ASSERT_EQ(encode(*again), encode(*batch));
  }
  EXPECT_GT(accepted, 1000);
}

}  // namespace
}  // namespace trikal::stream
