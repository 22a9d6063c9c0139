// A trace in a map: everything while there is memory, the same share of everything when there is not.

#include "capture/records/trace.hpp"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <thread>
#include <vector>

#include "log/crash/trace.hpp"

namespace trikal::capture {
namespace {

using log::crash::MapView;
using log::crash::TracedFile;
using log::crash::TraceEvent;

class TraceTest : public ::testing::Test {
 protected:
  static constexpr std::size_t kMiB = 1 << 20;

  void begin(std::size_t memory, std::size_t trace_memory) {
    session.arena.forget_parents();
    ASSERT_TRUE(session.arena.begin({nullptr, memory}));
    session.arena.header()->magic = log::crash::kMagic;
    session.config.trace_memory = trace_memory;
    session.config.trace = {.on = true};
    trace_ = std::make_unique<Trace>();
  }
  void hear(std::uint64_t file, std::int64_t offset, std::int64_t length, double begin,
            Operation operation = Operation::kWrite) {
    trace_->hear({operation, file, {begin, begin + 1e-6}, offset, length});
  }
  void write_many(std::uint64_t file, std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i)
      hear(file, static_cast<std::int64_t>(i), 1, 1e-6 * static_cast<double>(clock_++));
  }

  static MapView view() { return *MapView::open(session.arena.bytes()); }
  static std::map<std::uint64_t, TracedFile> files() {
    std::map<std::uint64_t, TracedFile> all;
    const MapView map = view();
    const log::crash::TracedFiles traced(map);
    for (const TracedFile& file : traced.all())
      if (file.events > 0) all[file.id] = file;
    return all;
  }
  static std::map<std::uint64_t, std::vector<TraceEvent>> events() {
    std::map<std::uint64_t, std::vector<TraceEvent>> all;
    const MapView map = view();
    const log::crash::TracedFiles traced(map);
    log::crash::for_each_event(map,
                               [&](const TraceEvent& event) { all[traced.all()[event.traced].id].push_back(event); });
    return all;
  }

  std::unique_ptr<Trace> trace_;
  std::uint64_t clock_ = 0;
};

TEST_F(TraceTest, KeepsEveryEvent) {
  begin(8 * kMiB, kMiB);
  hear(11, 100, 50, 1.0);
  hear(11, Event::kNoOffset, 0, 2.0, Operation::kClose);
  hear(11, 0, 9, 3.0, Operation::kMpiRead);
  const auto known = events();
  ASSERT_EQ(known.at(11).size(), 3U);
  const TraceEvent& first = known.at(11)[0];
  EXPECT_EQ(first.offset, 100);
  EXPECT_EQ(first.length, 50);
  EXPECT_EQ(first.begin, 1000000000U);
  EXPECT_EQ(first.duration, 1000U);
  EXPECT_EQ(known.at(11)[1].offset, TraceEvent::kNoOffset);
  EXPECT_NE(known.at(11)[2].traced, first.traced) << "another interface";
}

TEST_F(TraceTest, KeepsWhatBeginsInItsTime) {
  for (const bool absolute : {false, true}) {
    begin(8 * kMiB, kMiB);
    session.arena.header()->job.start_sec = 1000;
    const double origin = absolute ? 1000 : 0;
    session.config.trace.from = origin + 2, session.config.trace.until = origin + 4;
    session.config.trace.from_is_absolute = session.config.trace.until_is_absolute = absolute;
    for (int second = 0; second < 6; ++second) hear(11, second, 1, second);
    ASSERT_EQ(events().at(11).size(), 2U) << absolute;
    EXPECT_EQ(events().at(11)[0].offset, 2);
    EXPECT_EQ(files().at(11).events, 2U) << "what a rule leaves out is not missing";
  }
}

TEST_F(TraceTest, AMillionEventsFitIntoTheDefaultMemory) {
  begin(64 * kMiB, Config{}.trace_memory);
  constexpr std::uint64_t kCount = 1000000;
  for (std::uint64_t i = 0; i < kCount; ++i)
    hear(11 + i % 4, static_cast<std::int64_t>((i * 7919) % 100000) * 4096, 4096, 2e-6 * static_cast<double>(i),
         i % 3 == 0 ? Operation::kRead : Operation::kWrite);
  std::uint64_t kept = 0;
  for (const auto& [id, file] : files()) {
    EXPECT_EQ(file.lost, 0U);
    EXPECT_EQ(file.found, file.events);
    kept += file.found;
  }
  EXPECT_EQ(kept, kCount);
  EXPECT_LE(session.arena.header()->used.load(), 12 * kCount) << "bytes an event";
}

TEST_F(TraceTest, ThinsTheLargestFilesEvenly) {
  begin(8 * kMiB, 64 * 1024);
  write_many(1, 100);
  for (int i = 0; i < 10; ++i) write_many(2, 20000), write_many(3, 2000);
  const auto known = files();
  EXPECT_EQ(known.at(1).found, 100U);
  EXPECT_EQ(known.at(1).one_of, 1U);
  EXPECT_GT(known.at(2).one_of, known.at(3).one_of);
  const auto kept = events();
  for (const std::uint64_t id : {2, 3}) {
    const TracedFile& file = known.at(id);
    EXPECT_EQ(file.events, id == 2 ? 200000U : 20000U);
    EXPECT_EQ(file.found, file.events - file.lost) << id;
    EXPECT_NEAR(static_cast<double>(file.events) / static_cast<double>(file.found), file.one_of, 0.1 * file.one_of);
    const auto& mine = kept.at(id);
    for (std::size_t i = 1; i < mine.size(); ++i) {
      EXPECT_LT(mine[i - 1].begin, mine[i].begin) << i;
    }
  }
  EXPECT_LE(session.arena.header()->used.load(), 64U * 1024 + 64 * 1024);
}

TEST_F(TraceTest, ManySmallFilesEndIt) {
  begin(8 * kMiB, 32 * 1024);
  for (std::uint64_t file = 1; file <= 20000; ++file) write_many(file, 1);
  std::uint64_t all = 0, found = 0, lost = 0;
  for (const auto& [id, file] : files()) all += file.events, found += file.found, lost += file.lost;
  EXPECT_EQ(all, 20000U);
  EXPECT_EQ(found + lost, all);
  EXPECT_GT(found, 1000U);
}

TEST_F(TraceTest, MoreFilesThanItKnowsAreCountedTogether) {
  begin(64 * kMiB, 8 * kMiB);
  const std::uint64_t count = Trace::kMostFiles + 1000;
  for (std::uint64_t file = 1; file <= count; ++file) write_many(file, 1);
  const auto known = files();
  ASSERT_TRUE(known.contains(0));
  EXPECT_EQ(known.at(0).events, known.at(0).lost);
  std::uint64_t all = 0;
  for (const auto& [id, file] : known) all += file.events;
  EXPECT_EQ(all, count);
}

TEST_F(TraceTest, WithoutMemoryEventsAreCounted) {
  begin(64 * 1024, 16 * kMiB);  // the arena has none for chunks of that size
  write_many(7, 50000);
  const auto known = files();
  EXPECT_EQ(known.at(7).events, 50000U);
  EXPECT_EQ(known.at(7).found, known.at(7).events - known.at(7).lost);
  EXPECT_GT(known.at(7).lost, 0U);
}

TEST_F(TraceTest, ThreadsLoseNothing) {
  begin(32 * kMiB, 4 * kMiB);
  std::vector<std::thread> threads;
  for (std::uint64_t thread = 0; thread < 8; ++thread) {
    threads.emplace_back([this, thread] {
      for (int i = 0; i < 20000; ++i) {
        trace_->hear({Operation::kWrite, 1, {1e-6 * i, 1e-6 * i}, i, 1});
        trace_->hear({Operation::kRead, 100 + thread, {1e-6 * i, 1e-6 * i}, i, 1});
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  const auto known = files();
  EXPECT_EQ(known.at(1).events, 160000U);
  for (const auto& [id, file] : known) EXPECT_EQ(file.found + file.lost, file.events) << id;
}

TEST_F(TraceTest, ThreadsThinTogether) {
  begin(32 * kMiB, 256 * 1024);
  std::vector<std::thread> threads;
  for (std::uint64_t thread = 0; thread < 8; ++thread) {
    threads.emplace_back([this, thread] {
      for (int i = 0; i < 30000; ++i)
        trace_->hear({Operation::kWrite, 1 + thread % 3, {1e-6 * i, 1e-6 * i}, i * 100, 1});
    });
  }
  for (std::thread& thread : threads) thread.join();
  const auto known = files();
  std::uint64_t all = 0;
  for (const auto& [id, file] : known) {
    EXPECT_EQ(file.found + file.lost, file.events) << id;
    EXPECT_GT(file.found, 100U) << id;
    all += file.events;
  }
  EXPECT_EQ(all, 240000U);
}

TEST_F(TraceTest, AnotherMapBeginsAnew) {
  begin(8 * kMiB, kMiB);
  write_many(1, 10);
  const Bytes first = session.arena.bytes();
  session.arena.forget_parents();
  ASSERT_TRUE(session.arena.begin({nullptr, 8 * kMiB}));
  ASSERT_NE(session.arena.bytes().data(), first.data());
  session.arena.header()->magic = log::crash::kMagic;
  trace_->after_fork();
  write_many(2, 5);
  EXPECT_EQ(files().size(), 1U);
  EXPECT_EQ(files().at(2).found, 5U);
}

}  // namespace
}  // namespace trikal::capture
