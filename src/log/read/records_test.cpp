#include "log/read/records.hpp"

#include <gtest/gtest.h>

#include "modules/list.hpp"
#include "support/log_builder.hpp"

namespace trikal::log {
namespace {

using testing::Buffer;
using testing::Packer;

constexpr ModuleId kPosix = 1, kLustre = 8, kDxtPosix = 10, kDxtMpiio = 11, kMdhim = 12, kHeatmap = 15;

struct Opened {
  std::unique_ptr<Source> source;
  std::unique_ptr<RecordStream> records;
};

// `packed` as the region of a module; zlib unless told otherwise.
Opened open(ModuleId id, std::uint32_t version, const Buffer& packed, bool foreign = false,
            std::uint64_t memory_limit = 1 << 30, Codec codec = Codec::kZlib) {
  Opened opened{.source = from_memory(packed), .records = nullptr};
  const ModuleFormat* format = find_module(id);
  const RecordOrigin origin{format, format->form(version), foreign, memory_limit};
  opened.records = make_record_stream(open_region(*opened.source, {0, packed.size()}, codec, {}, 64), origin);
  return opened;
}

struct Outcome {
  std::vector<std::uint64_t> ids;
  std::vector<Buffer> bytes;  // whole records, or heads of sliced ones
  std::vector<std::size_t> items;
  Error error;
  std::size_t leftover = 0;
};

Outcome drain(RecordStream& records) {
  Outcome outcome;
  Batch batch;
  for (;;) {
    auto more = records.next(batch);
    if (!more) outcome.error = more.error();
    if (!more || !*more) break;
    const bool fixed = records.schema().shape == Shape::kFixed;
    const std::size_t size = fixed ? records.schema().head_bytes : batch.bytes.size();
    EXPECT_EQ(batch.bytes.size(), batch.count * size);
    for (std::size_t i = 0; i < batch.count; ++i) {
      const Bytes record = batch.bytes.subspan(i * size, size);
      if (batch.first_item == 0) {
        outcome.ids.push_back(load<std::uint64_t>(record.data()));
        outcome.bytes.emplace_back(record.begin(), record.end());
        outcome.items.push_back(0);
      }
      outcome.items.back() += batch.items.size() / 40;
    }
  }
  outcome.leftover = records.leftover_bytes();
  return outcome;
}

Outcome read(ModuleId id, std::uint32_t version, const Buffer& plain, bool foreign = false,
             std::uint64_t memory_limit = 1 << 30) {
  return drain(*open(id, version, testing::pack(plain, Codec::kZlib), foreign, memory_limit).records);
}

Buffer posix_records(std::size_t count, bool foreign = false) {
  Packer packer(foreign);
  for (std::size_t i = 0; i < count; ++i) testing::fixed_record(packer, 100 + i, static_cast<std::int64_t>(i), 86, i);
  return packer.take();
}

std::vector<std::uint64_t> ids_from(std::uint64_t first, std::size_t count) {
  std::vector<std::uint64_t> ids(count);
  for (std::size_t i = 0; i < count; ++i) ids[i] = first + i;
  return ids;
}

TEST(FixedRecords, ManyBlocksOfThem) {
  const std::size_t count = 3 * Block::kCapacity / 704;  // none ends where a block does
  const Buffer plain = posix_records(count);
  for (const bool foreign : {false, true}) {
    const Outcome outcome = read(kPosix, 4, posix_records(count, foreign), foreign);
    ASSERT_EQ(outcome.ids, ids_from(100, count));
    for (std::size_t i = 0; i < count; ++i) {
      ASSERT_TRUE(std::ranges::equal(outcome.bytes[i], Bytes{plain}.subspan(704 * i, 704))) << i;
    }
    EXPECT_EQ(outcome.leftover, 0U);
  }
}

TEST(FixedRecords, SpanningStreams) {
  const Buffer plain = posix_records(20);
  std::vector<std::size_t> cuts;
  for (std::size_t at = 0; at < plain.size(); at += 101) cuts.push_back(at);
  const Buffer packed = testing::pack_cut(plain, Codec::kZlib, cuts);
  EXPECT_EQ(drain(*open(kPosix, 4, packed).records).ids, ids_from(100, 20));
}

TEST(FixedRecords, BytesBehindTheLastAreCounted) {
  Buffer plain = posix_records(3);
  plain.resize(plain.size() + 9);
  const Outcome outcome = read(kPosix, 4, plain);
  EXPECT_EQ(outcome.ids.size(), 3U);
  EXPECT_EQ(outcome.leftover, 9U);
  EXPECT_EQ(outcome.error.code, ErrorCode::kNone);
}

TEST(FixedRecords, DamageComesAfterAllBeforeIt) {
  const Buffer plain = posix_records(50);
  Buffer packed = testing::pack_cut(plain, Codec::kZlib, std::vector<std::size_t>{704 * 20, 704 * 40 + 5});
  packed.resize(packed.size() - 5);
  const Opened opened = open(kPosix, 4, packed);
  const Outcome outcome = drain(*opened.records);
  EXPECT_GE(outcome.ids.size(), 40U);
  EXPECT_EQ(outcome.ids, ids_from(100, outcome.ids.size()));
  EXPECT_EQ(outcome.error.code, ErrorCode::kTruncated);
  EXPECT_EQ(opened.records->records_read(), outcome.ids.size());
}

TEST(FixedRecords, OldOnesBecomeNew) {
  Packer packer;
  for (std::size_t i = 0; i < 1000; ++i) testing::fixed_record(packer, 100 + i, 0, 81, 1);  // version 3
  const Outcome outcome = read(kPosix, 3, packer.take());
  ASSERT_EQ(outcome.ids, ids_from(100, 1000));
  EXPECT_EQ(outcome.bytes[7].size(), 704U);
  EXPECT_EQ(load<std::int64_t>(outcome.bytes[7].data() + 16 + 8), -1) << "FILENOS is not known";
}

TEST(FixedRecords, DroppedOnesAreNotCounted) {
  Packer packer;
  for (std::size_t i = 0; i < 10; ++i) {
    packer.u64(100 + i).i64(0).fill(0, 6).u64(i % 2).fill(0, 76);  // version 1; word 8 says: opened by fopen
  }
  const Opened opened = open(kPosix, 1, testing::pack(packer.take(), Codec::kZlib));
  EXPECT_EQ(drain(*opened.records).ids, (std::vector<std::uint64_t>{100, 102, 104, 106, 108}));
  EXPECT_EQ(opened.records->records_read(), 5U);
}

Buffer heatmap(std::int64_t bins, std::size_t really, double width = 0.1, bool foreign = false) {
  Packer packer(foreign);
  packer.u64(7).i64(0).f64(width).i64(bins).u64(0xdead).u64(0xbeef);
  for (std::size_t i = 0; i < really; ++i) packer.u64(i);
  return packer.take();
}

TEST(WholeRecords, HeadAndTail) {
  for (const bool foreign : {false, true}) {
    Buffer plain = heatmap(2, 4, 0.1, foreign);
    testing::append(plain, heatmap(2, 4, 0.1, foreign));
    const Outcome outcome = read(kHeatmap, 1, plain, foreign);
    ASSERT_EQ(outcome.bytes.size(), 2U);
    EXPECT_EQ(outcome.bytes[1].size(), 48U + 32U);
    EXPECT_EQ(load<std::uint64_t>(outcome.bytes[1].data() + 48 + 24), 3U);
    EXPECT_EQ(load<std::uint64_t>(outcome.bytes[1].data() + 32), 0U) << "pointers of the writer are wiped";
  }
}

TEST(WholeRecords, CountsThatLie) {
  for (const std::int64_t bins : {std::int64_t{3}, std::int64_t{1} << 20, std::int64_t{1} << 40, std::int64_t{1} << 56,
                                  (std::int64_t{1} << 56) + 1, INT64_MAX, std::int64_t{-1}, INT64_MIN}) {
    Buffer plain = heatmap(2, 4);
    testing::append(plain, heatmap(bins, 4));
    const Outcome outcome = read(kHeatmap, 1, plain);
    EXPECT_EQ(outcome.bytes.size(), 1U) << bins;
    EXPECT_TRUE(outcome.error.code != ErrorCode::kNone || outcome.leftover > 0) << bins;
  }
}

TEST(WholeRecords, ARecordOverTheLimitIsRefusedBeforeItIsHeld) {
  const Buffer plain = heatmap(100000, 200000);
  EXPECT_EQ(read(kHeatmap, 1, plain, false, 1 << 20).error.code, ErrorCode::kLimit);
  EXPECT_EQ(read(kHeatmap, 1, plain, false, 1600000).bytes.size(), 1U);
}

TEST(WholeRecords, DamageInsideATail) {
  Buffer plain = heatmap(5000, 10000);
  testing::append(plain, heatmap(5000, 10000));
  Buffer packed = testing::pack(plain, Codec::kZlib);
  packed.resize(packed.size() - 8);
  const Outcome outcome = drain(*open(kHeatmap, 1, packed).records);
  EXPECT_EQ(outcome.bytes.size(), 1U);
  EXPECT_EQ(outcome.error.code, ErrorCode::kTruncated);
}

TEST(WholeRecords, CutInsideAHead) {
  Buffer plain = heatmap(1, 2);
  testing::append(plain, Buffer(20));
  const Outcome outcome = read(kHeatmap, 1, plain);
  EXPECT_EQ(outcome.bytes.size(), 1U);
  EXPECT_EQ(outcome.leftover, 20U);
}

TEST(WholeRecords, LustreOfVersion1GrowsAComponent) {
  Packer packer;
  packer.u64(9).i64(0).i64(4).i64(1).i64(0).i64(1 << 20).i64(3).i64(10).i64(11).i64(12);
  const Outcome outcome = read(kLustre, 1, packer.take());
  ASSERT_EQ(outcome.bytes.size(), 1U);
  EXPECT_EQ(outcome.bytes[0].size(), 32U + 72U + 24U);
  EXPECT_EQ(load<std::int64_t>(outcome.bytes[0].data() + 16), 1);
  EXPECT_EQ(load<std::int64_t>(outcome.bytes[0].data() + 32 + 72 + 16), 12);
}

TEST(WholeRecords, ServersOfMdhim) {
  for (const std::int64_t servers : {std::int64_t{-5}, std::int64_t{0}, std::int64_t{1}, std::int64_t{3}}) {
    Packer packer;
    packer.u64(1).i64(0).fill(0, 4).i64(servers).fill(0, 4).fill(7,
                                                                 servers < 1 ? 1 : static_cast<std::size_t>(servers));
    EXPECT_EQ(read(kMdhim, 1, packer.take()).bytes.size(), 1U) << servers;
  }
}

Buffer traces(std::span<const std::pair<std::int64_t, std::int64_t>> counts, bool foreign = false,
              bool thread = false) {
  Packer packer(foreign);
  std::uint64_t id = 1;
  for (const auto& [writes, reads] : counts) testing::trace_record(packer, id++, writes, reads, thread);
  return packer.take();
}
using Counts = std::vector<std::pair<std::int64_t, std::int64_t>>;

TEST(SlicedRecords, ManySlices) {
  const Counts counts = {{0, 0}, {1, 0}, {9000, 9000}, {0, 8192}, {8193, 0}, {2, 2}};
  for (const bool foreign : {false, true}) {
    for (const bool thread : {false, true}) {
      const Outcome outcome = read(kDxtPosix, thread ? 2 : 1, traces(counts, foreign, thread), foreign);
      EXPECT_EQ(outcome.ids, ids_from(1, counts.size()));
      EXPECT_EQ(outcome.items, (std::vector<std::size_t>{0, 1, 18000, 8192, 8193, 4}));
    }
  }
}

TEST(SlicedRecords, SlicesSayWhereTheyBeginAndEnd) {
  const Opened opened = open(kDxtMpiio, 2, testing::pack(traces(Counts{{9000, 9000}, {1, 1}}), Codec::kZlib));
  Batch batch;
  std::uint64_t expected = 0;
  for (int slice = 0; slice < 3; ++slice) {
    ASSERT_TRUE(*opened.records->next(batch));
    EXPECT_EQ(batch.first_item, expected);
    EXPECT_EQ(batch.last, slice == 2);
    for (std::size_t i = 0; i < batch.items.size() / 40; ++i) {
      ASSERT_EQ(load<std::int64_t>(batch.items.data() + 40 * i), static_cast<std::int64_t>(1000 + expected + i));
    }
    expected += batch.items.size() / 40;
  }
  EXPECT_EQ(expected, 18000U);
  ASSERT_TRUE(*opened.records->next(batch));
  EXPECT_EQ(batch.first_item, 0U);
  EXPECT_TRUE(batch.last);
  EXPECT_FALSE(*opened.records->next(batch));
}

TEST(SlicedRecords, SegmentsBeforeTheEndAreHandedOut) {
  Buffer plain = traces(Counts{{100, 0}, {20, 20}});
  plain.resize(plain.size() - 50);  // the last segment and half of the one before
  const Outcome outcome = read(kDxtPosix, 1, plain);
  EXPECT_EQ(outcome.items, (std::vector<std::size_t>{100, 38}));
  EXPECT_GT(outcome.leftover, 0U);
}

TEST(SlicedRecords, SegmentsBeforeDamageAreHandedOut) {
  const Buffer plain = traces(Counts{{100, 0}, {20000, 0}});
  Buffer packed = testing::pack_cut(plain, Codec::kZlib, std::vector<std::size_t>{104 + 3200 + 104 + 32 * 15000});
  packed.resize(packed.size() - 4);
  const Outcome outcome = drain(*open(kDxtPosix, 1, packed).records);
  ASSERT_EQ(outcome.items.size(), 2U);
  EXPECT_GE(outcome.items[1], 15000U);
  EXPECT_EQ(outcome.error.code, ErrorCode::kTruncated);
}

TEST(SlicedRecords, CountsThatLie) {
  for (const std::int64_t writes :
       {std::int64_t{1} << 56, (std::int64_t{1} << 56) - 1, INT64_MAX, std::int64_t{-1}, INT64_MIN}) {
    for (const std::int64_t reads : {std::int64_t{0}, std::int64_t{1}, writes}) {
      Packer packer;
      testing::trace_record(packer, 1, 1, 1);
      packer.u64(2).fill(0, 10).i64(writes).i64(reads).fill(5, 4 * 10);
      const Outcome outcome = read(kDxtPosix, 1, packer.take());
      ASSERT_GE(outcome.items.size(), 1U);
      EXPECT_EQ(outcome.items[0], 2U);
      if (outcome.items.size() == 2) {
        EXPECT_EQ(outcome.items[1], 10U);
      }
      EXPECT_TRUE(outcome.error.code != ErrorCode::kNone || outcome.leftover > 0) << writes << " " << reads;
    }
  }
}

TEST(Records, AnEmptyRegionHasNone) {
  for (const ModuleId id : {kPosix, kHeatmap, kDxtPosix}) {
    const Outcome outcome = read(id, find_module(id)->schema->version, {});
    EXPECT_TRUE(outcome.ids.empty());
    EXPECT_EQ(outcome.error.code, ErrorCode::kNone);
  }
}

// Every module, every version, both orders: a cut at any byte gives whole records and no more.
TEST(Records, CutAnywhereInEveryForm) {
  for (const ModuleFormat* format : all_modules()) {
    for (const Form& form : format->forms) {
      const Buffer zeros(3 * static_cast<std::size_t>(form.head_bytes) + 200);
      for (std::size_t size = 0; size <= zeros.size(); size += 1 + size / 16) {
        for (const bool foreign : {false, true}) {
          const Buffer part(zeros.begin(), zeros.begin() + static_cast<std::ptrdiff_t>(size));
          const Opened opened = open(format->schema->id, form.version, part, foreign, 1 << 30, Codec::kNone);
          const Outcome outcome = drain(*opened.records);
          ASSERT_LE(outcome.ids.size() * form.head_bytes, size) << format->schema->name << " " << form.version;
          ASSERT_EQ(outcome.error.code, ErrorCode::kNone);
        }
      }
    }
  }
}

}  // namespace
}  // namespace trikal::log
