#include "log/crash/trace.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "modules/dxt_mpiio/schema.hpp"
#include "modules/dxt_posix/schema.hpp"
#include "modules/posix/schema.hpp"
#include "schema/live_order.hpp"
#include "support/map_builder.hpp"

namespace trikal::log::crash {
namespace {

using trikal::testing::MapBuilder;
using Segment = modules::dxt::Segment;

constexpr std::uint64_t kMs = 1000000;
const ModuleSchema* const kSchemas[] = {&modules::dxt_posix::kSchema, &modules::dxt_mpiio::kSchema};

bool operator==(const TraceEvent& a, const TraceEvent& b) {
  return a.begin == b.begin && a.duration == b.duration && a.offset == b.offset && a.length == b.length &&
         a.traced == b.traced && a.operation == b.operation && a.thread == b.thread;
}

TraceEvent event_of(Operation operation, std::uint64_t begin, std::int64_t offset, std::int64_t length) {
  return {begin, 100, offset, length, 0, static_cast<std::uint32_t>(operation), 0};
}

std::vector<std::byte> coded(std::span<const TraceEvent> events) {
  std::vector<std::byte> bytes;
  TraceState state;
  for (const TraceEvent& event : events) {
    std::byte one[kMostEventBytes];
    bytes.insert(bytes.end(), one, one + put_event(one, state, event));
  }
  return bytes;
}

std::vector<TraceEvent> decoded(Bytes bytes) {
  std::vector<TraceEvent> events;
  TraceReader reader(bytes);
  for (TraceEvent event; reader.next(event);) events.push_back(event);
  return events;
}

void add_file(MapBuilder& map, std::uint64_t id, std::uint32_t interface, std::uint64_t events, std::uint64_t lost) {
  TracedSlot file;
  file.id = id, file.interface = interface, file.events = events, file.lost = lost;
  map.add_one(ChunkKind::kTraced, 0, trikal::testing::slot_bytes(file));
}

struct Record {
  std::uint64_t id;
  std::int64_t rank;
  std::vector<Segment> writes, reads;
};

std::vector<Record> records_of(MapBuilder& map, const ModuleSchema& schema, double shift = 0) {
  const MapView view = *MapView::open(map.bytes());
  const Process process{&view, 5, shift};
  std::vector<Record> records;
  for_each_record(process, schema,
                  {[](void* to, Bytes bytes) {
                     Record record{load<std::uint64_t>(bytes.data()), load<std::int64_t>(bytes.data() + 8), {}, {}};
                     const auto writes = load<std::uint64_t>(bytes.data() + modules::dxt::kWritesAt);
                     std::size_t at = modules::dxt::kHeadBytes;
                     for (; at < bytes.size(); at += modules::dxt::kThreadlessBytes) {
                       Segment segment{};
                       std::memcpy(&segment, bytes.data() + at, modules::dxt::kThreadlessBytes);
                       (record.writes.size() < writes ? record.writes : record.reads).push_back(segment);
                     }
                     static_cast<std::vector<Record>*>(to)->push_back(record);
                   },
                   &records});
  return records;
}

TEST(TraceCode, WhatGoesInComesOut) {
  std::minstd_rand random(7);
  std::vector<TraceEvent> events;
  for (int i = 0; i < 5000; ++i) {
    TraceEvent event;
    event.begin = random() % 4 == 0 ? std::uint64_t{random()} << (random() % 33) : 1000U * static_cast<unsigned>(i);
    event.duration = random() >> (random() % 31);
    event.offset = random() % 3 == 0 ? TraceEvent::kNoOffset : static_cast<std::int64_t>(random()) << (random() % 32);
    event.length = static_cast<std::int64_t>(random() % 5) * 4096 - 1;
    event.traced = static_cast<std::uint32_t>(random() % 200);
    event.operation = static_cast<std::uint32_t>(random() % kOperations);
    event.thread = static_cast<std::uint32_t>(random() % 3);
    events.push_back(event);
  }
  const auto back = decoded(coded(events));
  ASSERT_EQ(back.size(), events.size());
  for (std::size_t i = 0; i < events.size(); ++i) EXPECT_TRUE(back[i] == events[i]) << i;
}

TEST(TraceCode, AStreamOfAccessesTakesSixBytesEach) {
  std::vector<TraceEvent> events;
  for (std::uint64_t i = 0; i < 1000; ++i)
    events.push_back(event_of(Operation::kWrite, 1500 * i, static_cast<std::int64_t>(4096 * i), 4096));
  EXPECT_LE(coded(events).size(), 6U * events.size());
}

TEST(TraceCode, AccessesHereAndThereTakeTwelveBytesAtMost) {
  std::minstd_rand random(3);
  std::vector<TraceEvent> events;
  for (std::uint64_t i = 0; i < 4000; ++i) {
    auto event = event_of(i % 3 == 0 ? Operation::kWrite : Operation::kRead, 2500 * i,
                          static_cast<std::int64_t>(random() % (1U << 30)), 4096);
    event.traced = static_cast<std::uint32_t>(i % 2);
    events.push_back(event);
  }
  EXPECT_LE(coded(events).size(), 12U * events.size());
}

TEST(TraceCode, StopsAtWhatIsNoEvent) {
  const std::vector<TraceEvent> events = {event_of(Operation::kWrite, kMs, 0, 10),
                                          event_of(Operation::kRead, 2 * kMs, 5, 7)};
  const auto bytes = coded(events);
  for (std::size_t size = 0; size < bytes.size(); ++size) EXPECT_LE(decoded(Bytes{bytes}.first(size)).size(), 1U);
  auto wrong = bytes;
  wrong[0] = std::byte{0xff};
  EXPECT_TRUE(decoded(wrong).empty());
  auto unknown = events;
  unknown[0].operation = kOperations;
  EXPECT_TRUE(decoded(coded(unknown)).empty());
}

TEST(TraceRecords, AreInOrderOfTimeWritesFirst) {
  MapBuilder map;
  add_file(map, 40, kTracePosix, 5, 0);
  add_file(map, 41, kTraceMpiio, 1, 0);
  auto mpi = event_of(Operation::kMpiCollectiveRead, 7 * kMs, 77, 700);
  mpi.traced = 1;
  auto other = event_of(Operation::kWrite, 4 * kMs, 8192, 100);
  other.thread = 3;
  trikal::testing::add_trace_stream(
      map, 0, std::vector{event_of(Operation::kOpen, kMs, -1, 0), event_of(Operation::kWrite, 5 * kMs, 0, 4096), mpi});
  trikal::testing::add_trace_stream(map, 1, std::vector{event_of(Operation::kRead, 3 * kMs, 1, 2), other});
  const auto posix = records_of(map, *kSchemas[0], 0.5);
  ASSERT_EQ(posix.size(), 1U);
  EXPECT_EQ(posix[0].id, 40U);
  EXPECT_EQ(posix[0].rank, 5);
  ASSERT_EQ(posix[0].writes.size(), 2U);
  EXPECT_EQ(posix[0].writes[0].offset, 8192);
  EXPECT_EQ(posix[0].writes[1].offset, 0);
  EXPECT_NEAR(posix[0].writes[0].start, 0.504, 1e-9);
  EXPECT_NEAR(posix[0].writes[0].end, 0.5040001, 2e-9);
  ASSERT_EQ(posix[0].reads.size(), 1U);
  EXPECT_EQ(posix[0].reads[0].length, 2);
  const auto mpiio = records_of(map, *kSchemas[1]);
  ASSERT_EQ(mpiio.size(), 1U);
  EXPECT_EQ(mpiio[0].id, 41U);
  ASSERT_EQ(mpiio[0].reads.size(), 1U);
  EXPECT_EQ(mpiio[0].reads[0].offset, 77);
  const MapView view = *MapView::open(map.bytes());
  const TraceSegments segments(view, *trace_form_of(*kSchemas[0]), 0);
  EXPECT_EQ(segments.of(segments.files()[0])[0].thread, 4U);
}

TEST(TraceRecords, OfFilesWithoutAccessesThereIsNone) {
  MapBuilder map;
  add_file(map, 40, kTracePosix, 1, 0);
  trikal::testing::add_trace_stream(map, 0, std::vector{event_of(Operation::kOpen, kMs, -1, 0)});
  EXPECT_TRUE(records_of(map, *kSchemas[0]).empty());
  MapBuilder without;
  EXPECT_TRUE(records_of(without, *kSchemas[0]).empty());
}

TEST(TraceRecords, WhatIsMissingIsThinned) {
  const auto thinned = [](std::uint64_t events, std::uint64_t lost, bool has_events = true) {
    MapBuilder map;
    add_file(map, 40, kTracePosix, events, lost);
    if (has_events) trikal::testing::add_trace_stream(map, 0, std::vector{event_of(Operation::kRead, kMs, 0, 1)});
    const MapView view = *MapView::open(map.bytes());
    const Process process{&view, 0, 0};
    return thinned_modules({&process, 1}, kSchemas);
  };
  EXPECT_EQ(thinned(1, 0), 0U);
  EXPECT_EQ(thinned(4, 3), std::uint64_t{1} << modules::dxt_posix::kSchema.id);
  EXPECT_NE(thinned(2, 0), 0U) << "an event is not where it was counted: its chunk is damaged";
  EXPECT_EQ(thinned(2, 0, false), 0U) << "whoever has no events believes what was counted";
}

// A record of the POSIX module: so many reads, of those so many small and so many off the block.
void add_posix(MapBuilder& map, std::uint64_t id, std::int64_t reads, std::int64_t small, std::int64_t unaligned) {
  const ModuleSchema& posix = modules::posix::kSchema;
  std::vector<std::byte> record(posix.head_bytes);
  store(record.data(), id);
  const auto put = [&](std::size_t slot, std::int64_t value) {
    store(record.data() + posix.counters_at + 8 * live_slot(posix, slot), value);
  };
  using modules::posix::kCounters;
  put(slot_of(kCounters, "POSIX_READS"), reads), put(slot_of(kCounters, "POSIX_SIZE_READ_#"), small);
  put(slot_of(kCounters, "POSIX_FILE_NOT_ALIGNED"), unaligned);
  map.add_one(ChunkKind::kRecords, posix.id, record);
}

TEST(TraceRules, AreSharesOfReadsAndWrites) {
  const auto kept = [](TraceRules rules) {
    MapBuilder map;
    for (std::uint64_t id = 40; id < 44; ++id) {
      add_file(map, id, kTracePosix, 1, 0);
      auto event = event_of(Operation::kRead, kMs, 0, 1);
      event.traced = static_cast<std::uint32_t>(id - 40);
      trikal::testing::add_trace_stream(map, 0, std::vector{event});
    }
    add_posix(map, 40, 10, 5, 0), add_posix(map, 41, 10, 0, 8), add_posix(map, 42, 0, 0, 0);  // of 43 there is none
    map.add_one(ChunkKind::kTraceRules, 0, trikal::testing::slot_bytes(rules));
    std::vector<std::uint64_t> ids;
    for (const Record& record : records_of(map, *kSchemas[0])) ids.push_back(record.id);
    return ids;
  };
  using Ids = std::vector<std::uint64_t>;
  EXPECT_EQ(kept({}), (Ids{40, 41, 42, 43}));
  EXPECT_EQ(kept({.small = 0.5}), Ids{40});
  EXPECT_EQ(kept({.small = 0.51}), Ids{});
  EXPECT_EQ(kept({.unaligned = 0.8}), Ids{41});
  EXPECT_EQ(kept({.small = 0.1, .unaligned = 0.1}), (Ids{40, 41}));
}

TEST(TraceRecords, EventsOfNoFileAreLeftOut) {
  MapBuilder map;
  add_file(map, 40, kTracePosix, 1, 0);
  auto wrong = event_of(Operation::kRead, kMs, 0, 1);
  wrong.traced = 9;
  trikal::testing::add_trace_stream(map, 0, std::vector{wrong, event_of(Operation::kRead, kMs, 0, 1)});
  const auto records = records_of(map, *kSchemas[0]);
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].reads.size(), 1U);
}

}  // namespace
}  // namespace trikal::log::crash
