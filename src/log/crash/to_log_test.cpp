// From a map to the records of a log: ranks, times on the job's clock, threads' records joined.

#include "log/crash/to_log.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "modules/heatmap/live.hpp"
#include "modules/heatmap/schema.hpp"
#include "modules/posix/schema.hpp"
#include "schema/record.hpp"
#include "support/map_builder.hpp"

namespace trikal::log::crash {
namespace {

using modules::posix::kSchema;
using trikal::testing::MapBuilder;
using trikal::testing::slot_bytes;
using LivePosixRecord = LiveRecord<kSchema>;
using Raw = std::vector<std::byte>;

constexpr ModuleId kPosix = kSchema.id, kHeatmap = modules::heatmap::kSchema.id;

std::vector<Raw> records_of(const MapBuilder& map, const ModuleSchema& schema, std::int64_t rank = 3,
                            double shift = 0) {
  std::vector<Raw> records;
  const auto view = MapView::open(map.bytes());
  EXPECT_TRUE(view);
  for_each_record(
      {&*view, rank, shift}, schema,
      {[](void* to, Bytes record) { static_cast<std::vector<Raw>*>(to)->emplace_back(record.begin(), record.end()); },
       &records});
  return records;
}

Record<kSchema> posix_record(const Raw& bytes) {
  Record<kSchema> record;
  EXPECT_EQ(bytes.size(), sizeof record.words);
  std::memcpy(record.words.data(), bytes.data(), std::min(bytes.size(), sizeof record.words));
  return record;
}

LivePosixRecord one_write() {
  LivePosixRecord record;
  record.set_base({11, 0});
  record.at<"POSIX_WRITES">() = 1;
  record.set_real<"POSIX_F_WRITE_START_TIMESTAMP">(0.25);
  record.set_real<"POSIX_F_WRITE_TIME">(0.125);
  return record;
}

TEST(RecordsOfAMap, GetTheirRankAndTheJobsClock) {
  MapBuilder map;
  map.add_one(ChunkKind::kRecords, kPosix, slot_bytes(one_write()));
  const auto records = records_of(map, kSchema, 5, 2.0);
  ASSERT_EQ(records.size(), 1U);
  const Record<kSchema> record = posix_record(records[0]);
  EXPECT_EQ(record.base().id, 11U);
  EXPECT_EQ(record.base().rank, 5);
  EXPECT_EQ(record.real<"POSIX_F_WRITE_START_TIMESTAMP">(), 2.25);
  EXPECT_EQ(record.real<"POSIX_F_WRITE_TIME">(), 0.125) << "a duration is not moved";
  EXPECT_EQ(record.real<"POSIX_F_READ_START_TIMESTAMP">(), 0) << "what never happened stays so";
}

TEST(RecordsOfAMap, SlotsLongerThanTheirRecordAreCutToIt) {
  MapBuilder map;
  constexpr std::uint32_t kStride = kSchema.head_bytes + 40;
  const std::size_t chunk = map.add_chunk({.kind = ChunkKind::kRecords,
                                           .module = kPosix,
                                           .stride = kStride,
                                           .record_bytes = kSchema.head_bytes,
                                           .slots = 3});
  for (std::uint64_t id = 1; id <= 2; ++id) {
    LivePosixRecord record = one_write();
    record.set_base({id, 0});
    map.add_slot(chunk, slot_bytes(record));
  }
  const auto records = records_of(map, kSchema);
  ASSERT_EQ(records.size(), 2U);
  EXPECT_EQ(posix_record(records[1]).base().id, 2U);
}

TEST(RecordsOfAMap, BriefOnesAreWholeInTheLog) {
  MapBuilder map;
  map.add_one(ChunkKind::kRecords, kPosix, slot_bytes(one_write()));
  BriefRecord<kSchema> brief;
  brief.at<"POSIX_OPENS">() = 2, brief.set_real<"POSIX_F_OPEN_START_TIMESTAMP">(0.5);
  brief.set_base({12, 0});
  map.add_one(ChunkKind::kBriefs, kPosix, slot_bytes(brief));
  brief.set_base({13, kMoved});  // has a whole one by now
  map.add_one(ChunkKind::kBriefs, kPosix, slot_bytes(brief));
  const auto records = records_of(map, kSchema, 5, 2.0);
  ASSERT_EQ(records.size(), 2U);
  Record<kSchema> record = posix_record(records[1]);
  EXPECT_EQ(record.base().id, 12U);
  EXPECT_EQ(record.base().rank, 5);
  EXPECT_EQ(record.at<"POSIX_OPENS">(), 2);
  EXPECT_EQ(record.real<"POSIX_F_OPEN_START_TIMESTAMP">(), 2.5);
  EXPECT_EQ(record.at<"POSIX_WRITES">(), 0) << "nothing of the record before it";
  EXPECT_TRUE(has_records(*MapView::open(map.bytes())));
}

TEST(RecordsOfAMap, OfAnotherSizeOrModuleAreLeftOut) {
  MapBuilder map;
  const std::vector<std::byte> shorter(kSchema.head_bytes - 8);
  map.add_one(ChunkKind::kRecords, kPosix, shorter);
  map.add_one(ChunkKind::kBriefs, kPosix, shorter);
  map.add_one(ChunkKind::kRecords, kPosix + 1, slot_bytes(one_write()));
  map.add_one(ChunkKind::kExtras, kPosix, slot_bytes(one_write()));
  EXPECT_TRUE(records_of(map, kSchema).empty());
}

TEST(RecordsOfAMap, ImpossibleTimesDoNoHarm) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  for (const double lie : {kInf, -kInf, std::nan(""), 1e300, -1e300, -1.0, 1e-320}) {
    MapBuilder map;
    LivePosixRecord record = one_write();
    record.set_real<"POSIX_F_WRITE_START_TIMESTAMP">(lie);
    map.add_one(ChunkKind::kRecords, kPosix, slot_bytes(record));
    const auto records = records_of(map, kSchema, 0, 1e18);
    ASSERT_EQ(records.size(), 1U);
    EXPECT_TRUE(std::isfinite(posix_record(records[0]).real<"POSIX_F_WRITE_START_TIMESTAMP">())) << lie;
    EXPECT_EQ(posix_record(records[0]).at<"POSIX_WRITES">(), 1);
  }
}

// What a process that was killed in the middle of a run left behind, in records and beside them.
TEST(RecordsOfAMap, HaveTheirRuns) {
  MapBuilder map;
  modules::posix::Run run;
  run.head = {.id = load<std::uint64_t>(slot_bytes(one_write()).data()), .count = 5};
  run.like = modules::posix::Run::likeness(modules::posix::Direction::kWrite, 64);
  run.before.calls = 1, run.before.bytes = 4096;
  map.add_one(ChunkKind::kRecords, kPosix, slot_bytes(one_write()));
  map.add_one(ChunkKind::kRuns, kPosix, slot_bytes(run));
  run.head.id += 1;  // of no record
  map.add_one(ChunkKind::kRuns, kPosix, slot_bytes(run));
  const auto records = records_of(map, kSchema);
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(posix_record(records[0]).at<"POSIX_WRITES">(), 6);
  EXPECT_EQ(posix_record(records[0]).at<"POSIX_BYTES_WRITTEN">(), 4096 + 5 * 64);
}

// A heatmap as a thread fills it: one bin.
Raw live_heatmap(std::uint64_t id, double width, std::size_t bin, std::int64_t written) {
  Raw live(modules::heatmap::kLiveBytes);
  store(live.data(), id);
  store(live.data() + modules::heatmap::kWidthAt, width);
  store(modules::heatmap::bins_of(live.data(), false) + 8 * bin, written);
  return live;
}

std::int64_t bin_of(const Raw& record, std::size_t bin) {
  return load<std::int64_t>(record.data() + modules::heatmap::kHeadBytes + 8 * bin);
}

TEST(LiveRecords, OfThreadsAreJoinedOnTheWiderBins) {
  MapBuilder map;
  map.add_one(ChunkKind::kRecords, kHeatmap, live_heatmap(1, 0.1, 6, 100));
  map.add_one(ChunkKind::kRecords, kHeatmap, live_heatmap(2, 0.1, 0, 7));
  map.add_one(ChunkKind::kRecords, kHeatmap, live_heatmap(1, 0.4, 1, 20));
  map.add_one(ChunkKind::kRecords, kHeatmap, live_heatmap(1, 0.1, 199, 3));
  const auto records = records_of(map, modules::heatmap::kSchema);
  ASSERT_EQ(records.size(), 2U);
  EXPECT_EQ(load<double>(records[0].data() + modules::heatmap::kWidthAt), 0.4);
  EXPECT_EQ(bin_of(records[0], 1), 120);
  EXPECT_EQ(bin_of(records[0], 49), 3);
  EXPECT_EQ(bin_of(records[1], 0), 7);
}

TEST(LiveRecords, ThatLieAreLeftOutOrSurvived) {
  for (const double width : {0.0, -1.0, std::nan(""), 1e300}) {
    MapBuilder map;
    map.add_one(ChunkKind::kRecords, kHeatmap, live_heatmap(1, width, 0, 1));
    EXPECT_TRUE(records_of(map, modules::heatmap::kSchema).empty()) << width;
  }
  MapBuilder map;
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  map.add_one(ChunkKind::kRecords, kHeatmap, live_heatmap(1, 0.1, 0, kMost));
  map.add_one(ChunkKind::kRecords, kHeatmap, live_heatmap(1, 0.1, 0, kMost));
  map.header().job.start_sec = std::numeric_limits<std::int64_t>::min();
  map.header().job.end_sec = kMost;
  EXPECT_EQ(records_of(map, modules::heatmap::kSchema).size(), 1U);
}

TEST(HasRecords, CountsWhatIsForTheLogAlone) {
  MapBuilder map;
  map.add_chunk({.kind = ChunkKind::kRecords, .module = kPosix, .stride = 8, .record_bytes = 8, .slots = 4});
  map.add_one(ChunkKind::kOther, 0, slot_bytes(std::uint64_t{1}));
  map.add_one(ChunkKind::kPhases, 0, slot_bytes(PhaseSlot{}));
  EXPECT_FALSE(has_records(*MapView::open(map.bytes())));
  map.add_one(ChunkKind::kExtras, kPosix, slot_bytes(std::uint64_t{1}));
  EXPECT_TRUE(has_records(*MapView::open(map.bytes())));
}

}  // namespace
}  // namespace trikal::log::crash
