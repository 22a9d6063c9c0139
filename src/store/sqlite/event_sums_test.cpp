// Sums of events: the same from what is kept beside chunks as from the events, and without a look at those.

#include "store/event_sums.hpp"

#include <gtest/gtest.h>
#include <sqlite3.h>
#include <unistd.h>

#include <cstdlib>

#include "store/sqlite/chunk_sums.hpp"
#include "store/sqlite/event_chunk.hpp"
#include "store/sqlite/event_scan.hpp"
#include "store/sqlite/schema.hpp"
#include "store/store.hpp"

namespace trikal::storage {
namespace {

using stream::EventRecord;
using stream::kSecond;

constexpr std::int64_t kBegin = 1'000 * kSecond;
constexpr std::size_t kEvents = 3 * kMostInChunk + 100;  // of each rank: three chunks, and pieces

class EventSumsTest : public ::testing::Test {
 protected:
  EventSumsTest() {
    auto store = open(Store::Mode::kWrite);
    for (std::uint64_t rank = 0; rank < 4; ++rank) {
      stream::Batch batch{.source = 1, .sequence = rank + 1, .host = "node"};
      batch.runs.push_back({1 + rank / 2, kBegin, "./app", "node"});
      batch.processes.push_back({.process = 10 + rank,
                                 .run = 1 + rank / 2,
                                 .pid = 100 + static_cast<std::int64_t>(rank),
                                 .rank = static_cast<std::int64_t>(rank),
                                 .host = "node",
                                 .command = "./app"});
      for (std::uint64_t file = 0; file < 3; ++file) batch.files.push_back({50 + file, "/f" + std::to_string(file)});
      batch.objects.push_back({10 + rank, 1, "/bin/app"});
      batch.events.push_back({.process = 10 + rank, .run = 1 + rank / 2, .events = events(rank), .details = {}});
      EXPECT_TRUE(store->ingest(batch).ok());
    }
  }
  ~EventSumsTest() override { ::unlink(path_.c_str()); }

  // Each thread has a file of its own at first; at the end they use all of them.
  static std::vector<EventRecord> events(std::uint64_t rank) {
    std::vector<EventRecord> events;
    for (std::size_t i = 0; i < kEvents; ++i) {
      const auto thread = static_cast<std::uint32_t>(i % 2);
      events.push_back(
          {.begin = kBegin + static_cast<std::int64_t>(rank) * kSecond / 3 + static_cast<std::int64_t>(i) * 1'700'000,
           .duration = static_cast<std::int64_t>((i * 7919) % 100'000),
           .length = static_cast<std::int64_t>(i % 5 * 100),
           .file = 50 + (i < kMostInChunk ? thread : i % 3),
           .call_site = i % 11 == 0 ? 0 : stream::call_site_of(1, 16 + i % 3),
           .thread = thread,
           .operation = static_cast<std::uint16_t>(2 + i % 3),
           .sequence = static_cast<std::uint32_t>(i / 2)});
    }
    return events;
  }
  std::unique_ptr<Store> open(Store::Mode mode = Store::Mode::kRead) {
    auto store = Store::open("sqlite:" + path_, mode);
    EXPECT_TRUE(store.ok());
    return std::move(*store);
  }
  void execute(const std::string& sql) {
    sqlite3* database = nullptr;
    ASSERT_EQ(sqlite3_open(path_.c_str(), &database), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(database);
    sqlite3_close(database);
  }
  static std::vector<std::string> text(const Result<std::vector<EventGroup>>& groups) {
    std::vector<std::string> lines;
    EXPECT_TRUE(groups.ok());
    if (!groups.ok()) return lines;
    for (const EventGroup& g : *groups) {
      std::string line = std::to_string(g.begin) + "|" + std::to_string(g.rank) + "|" + std::to_string(g.process) +
                         "|" + std::to_string(g.thread) + "|" + g.interface + "|" + g.call + "|" + g.file + "|" +
                         g.object + "|" + std::to_string(g.address) + ": " + std::to_string(g.sum.calls) + " " +
                         std::to_string(g.sum.bytes) + " " + std::to_string(g.sum.nanoseconds) + " " +
                         std::to_string(g.sum.longest);
      for (const SizeHistogram* sizes : {&g.sum.durations, &g.sum.lengths})
        for (const auto& [least, count] : sizes->octaves())
          line += " " + std::to_string(least) + "=" + std::to_string(count);
      lines.push_back(line);
    }
    return lines;
  }

  std::string path_ = ::testing::TempDir() + "event-sums-" + std::to_string(::getpid()) + ".sqlite";
};

TEST_F(EventSumsTest, KeptSumsAreThoseOfTheEvents) {
  const auto store = open();
  std::vector<EventQuery> queries(9);
  queries[1].run = 1;
  queries[2].rank = 3;
  queries[3].file = "/f1";
  queries[4].thread = 1;
  queries[5].from = kBegin + 5 * kSecond, queries[5].to = kBegin + 20 * kSecond;
  queries[6].from = kBegin + 5 * kSecond + 12'345, queries[6].to = kBegin + 20 * kSecond + 1;
  queries[7].operation = "write", queries[7].process = 11;
  queries[8].interface = "STDIO", queries[8].file = "/f0";
  std::vector<EventGrouping> groupings = {{},
                                          {EventBy::kRank, EventBy::kCall},
                                          {EventBy::kThread},
                                          {EventBy::kFile},
                                          {EventBy::kSite},
                                          {EventBy::kTime, EventBy::kInterface},
                                          {EventBy::kTime, EventBy::kThread},
                                          {EventBy::kTime, EventBy::kFile},
                                          {EventBy::kProcess, EventBy::kFile, EventBy::kSite}};
  const char* full = std::getenv("TRIKAL_FULL");
  const bool all = full != nullptr && full[0] == '1';
  for (const EventQuery& query : queries) {
    const auto number = static_cast<std::size_t>(&query - queries.data());
    for (EventGrouping& grouping : groupings) {
      const auto by = static_cast<std::size_t>(&grouping - groupings.data());
      // Each query with a third of the groupings, each grouping with a third of the queries, and all of both with the first
      // of the other; with scripts/test --full every pair.
      if (!all && number != 0 && by != 0 && (number + by) % 3 != 0) continue;
      for (const std::int64_t width : {kSecond, std::int64_t{7'300'000}, 100 * kSecond}) {
        grouping.origin = kBegin, grouping.width = width,
        grouping.sizes = (number + by) % 2 == (width == kSecond ? 1 : 0);
        // The base class adds up the events.
        EXPECT_EQ(text(store->event_sums(query, grouping)), text(store->Store::event_sums(query, grouping)))
            << "query " << number << " by " << grouping.bits << " width " << width;
        if (!grouping.has(EventBy::kTime)) break;
      }
    }
  }
}

TEST_F(EventSumsTest, EventsThemselvesAreNotRead) {
  execute("UPDATE event_chunk SET data = x'00'");
  const auto store = open();
  EventGrouping by_time{EventBy::kTime, EventBy::kThread, EventBy::kCall};
  for (const std::int64_t width : {64 * kLeastUnit, 1024 * kLeastUnit, kLeastUnit << 30}) {
    by_time.width = width, by_time.origin = kBegin - kBegin % width;
    const auto all = store->event_sums({}, by_time);
    ASSERT_TRUE(all.ok()) << width;
    std::uint64_t calls = 0;
    for (const EventGroup& group : *all) calls += group.sum.calls;
    EXPECT_EQ(calls, 4 * kEvents);
  }
  EventGrouping by_call{EventBy::kCall};
  by_call.sizes = true;
  EXPECT_TRUE(store->event_sums({}, by_call).ok());
  EXPECT_TRUE(store->event_sums({}, {EventBy::kFile}).ok());
  EventQuery part;  // of which events must be counted one by one
  part.from = kBegin + 1;
  EXPECT_FALSE(store->event_sums(part, {}).ok());
}

// Long units answer for wide slices, short ones for narrow slices; each alone where it can.
TEST_F(EventSumsTest, UnitsOfTwoLengthsAnswer) {
  EventGrouping narrow{EventBy::kTime}, wide{EventBy::kTime};
  narrow.width = 64 * kLeastUnit, narrow.origin = kBegin - kBegin % narrow.width;
  wide.width = kLeastUnit << 14, wide.origin = kBegin - kBegin % wide.width;
  const auto of_narrow = text(open()->event_sums({}, narrow)), of_wide = text(open()->event_sums({}, wide));
  execute("UPDATE event_chunk SET data = x'00'");
  execute("UPDATE event_sum SET times = NULL");
  EXPECT_EQ(text(open()->event_sums({}, wide)), of_wide);
  EXPECT_FALSE(open()->event_sums({}, narrow).ok());
}

TEST_F(EventSumsTest, ShortUnitsAnswerAlone) {
  EventGrouping wide{EventBy::kTime};
  wide.width = kLeastUnit << 14, wide.origin = kBegin - kBegin % wide.width;
  const auto before = text(open()->event_sums({}, wide));
  execute("UPDATE event_chunk SET data = x'00'");
  execute("DELETE FROM event_sum_long");
  EXPECT_EQ(text(open()->event_sums({}, wide)), before);
}

TEST_F(EventSumsTest, DamagedSumsAreMadeOfTheEvents) {
  const auto before = text(open()->event_sums({}, {EventBy::kFile, EventBy::kCall}));
  execute("UPDATE event_sum SET files = x'0102', times = NULL, calls = NULL");
  execute("UPDATE event_sum_long SET times = x'0102'");
  EXPECT_EQ(text(open()->event_sums({}, {EventBy::kFile, EventBy::kCall})), before);
}

// Job, rank, time; job, time, rank; time, job, rank: chunks that are not asked for may be damaged.
TEST_F(EventSumsTest, OnlyChunksThatAreAskedForAreRead) {
  const auto damage_all_but = [this](const std::string& wanted) {
    execute("UPDATE event_chunk SET data = x'00' WHERE NOT (" + wanted + ")");
  };
  EventQuery query{.run = 2,
                   .process = {},
                   .rank = 3,
                   .thread = {},
                   .from = kBegin + 16 * kSecond,
                   .to = kBegin + 20 * kSecond,
                   .file = {},
                   .interface = {},
                   .operation = {}};
  std::size_t found = 0;
  const auto count = [&found](const StoredEvent&) { return ++found, true; };
  ASSERT_TRUE(open()->events(query, count).ok());
  const std::size_t wanted = found;
  EXPECT_GT(wanted, 2000U);
  damage_all_but("run = 2 AND rank = 3 AND last >= 1016000000000 AND first < 1020000000000");
  found = 0;
  ASSERT_TRUE(open()->events(query, count).ok());
  EXPECT_EQ(found, wanted);
  query.rank = {};
  EXPECT_FALSE(open()->events(query, count).ok());
}

TEST_F(EventSumsTest, EachOrderHasAnIndex) {
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(path_.c_str(), &database), SQLITE_OK);
  const auto plan_of = [&](const EventSelection& selection) {
    const std::string sql =
        "EXPLAIN QUERY PLAN SELECT data FROM event_chunk WHERE " + chunk_conditions(selection) + " ORDER BY first";
    sqlite3_stmt* statement = nullptr;
    EXPECT_EQ(sqlite3_prepare_v2(database, sql.c_str(), -1, &statement, nullptr), SQLITE_OK);
    std::string plan;
    while (sqlite3_step(statement) == SQLITE_ROW)
      plan += reinterpret_cast<const char*>(sqlite3_column_text(statement, 3));
    sqlite3_finalize(statement);
    return plan;
  };
  const std::int64_t from = kBegin, to = kBegin + kSecond;
  EXPECT_EQ(plan_of({.run = 1, .process = {}, .rank = 0, .chunk = {}, .from = from, .to = to}),
            "SEARCH event_chunk USING INDEX event_chunk_job_rank (run=? AND rank=? AND first<?)");
  EXPECT_EQ(plan_of({.run = 1, .process = {}, .rank = {}, .chunk = {}, .from = from, .to = to}),
            "SEARCH event_chunk USING INDEX event_chunk_job_time (run=? AND first<?)");
  EXPECT_EQ(plan_of({.run = {}, .process = {}, .rank = {}, .chunk = {}, .from = from, .to = to}),
            "SEARCH event_chunk USING INDEX event_chunk_time (first<?)");
  sqlite3_close(database);
}

TEST_F(EventSumsTest, TheLongestComeFirst) {
  EventQuery query;
  query.order = EventQuery::Order::kDuration;
  std::int64_t bound = INT64_MAX;
  std::size_t found = 0;
  ASSERT_TRUE(open()
                  ->events(query,
                           [&](const StoredEvent& event) {
                             EXPECT_LE(event.bound, bound);
                             EXPECT_LE(event.duration, event.bound);
                             bound = event.bound, ++found;
                             return !::testing::Test::HasFailure();
                           })
                  .ok());
  EXPECT_EQ(found, 4 * kEvents);
}

TEST_F(EventSumsTest, SumsGoWithTheirChunks) {
  ASSERT_TRUE(open(Store::Mode::kWrite)->keep_to({kBegin + 100'000 * kSecond, 0}).ok());
  std::int64_t left = -1;
  ASSERT_TRUE(open()
                  ->query("SELECT (SELECT count(*) FROM event_sum) + (SELECT count(*) FROM event_sum_long)",
                          {.columns = [](const auto&) {},
                           .row = [&](const Row& row) { return left = std::get<std::int64_t>(row[0]), true; }})
                  .ok());
  EXPECT_EQ(left, 0);
}

TEST(ChunkSums, TooManyGroupsAreNotKept) {
  std::vector<EventRecord> events(4000);
  for (std::size_t i = 0; i < events.size(); ++i)
    events[i].file = i, events[i].begin = static_cast<std::int64_t>(i) * 1'000'000;
  EXPECT_TRUE(make_chunk_sums(events, ChunkSumsBy::kFile).empty());
  ChunkSums sums;
  ASSERT_TRUE(read_chunk_sums(make_chunk_sums(events, ChunkSumsBy::kCall), ChunkSumsBy::kCall, sums));
  ASSERT_EQ(sums.rows.size(), 1U);
  EXPECT_EQ(sums.rows[0].sum.calls, 4000U);
  ASSERT_TRUE(read_chunk_sums(make_chunk_sums(events, ChunkSumsBy::kTime), ChunkSumsBy::kTime, sums));
  EXPECT_EQ(sums.unit, 8 * kLeastUnit);
  EXPECT_EQ(sums.rows.size(), 500U);
  for (std::size_t i = 0; i < events.size(); ++i) events[i].thread = static_cast<std::uint32_t>(i);
  EXPECT_TRUE(make_chunk_sums(events, ChunkSumsBy::kTime).empty());
}

// As many rows as fit: units get longer when each has many callers.
TEST(ChunkSums, UnitsAreAsShortAsTheLimitAllows) {
  std::vector<EventRecord> events(kMostInChunk);
  for (std::size_t i = 0; i < events.size(); ++i)
    events[i].begin = kBegin + static_cast<std::int64_t>(i) * 1'000'000, events[i].thread = i % 16,
    events[i].length = 3;
  ChunkSums sums;
  ASSERT_TRUE(read_chunk_sums(make_chunk_sums(events, ChunkSumsBy::kTime), ChunkSumsBy::kTime, sums));
  EXPECT_LE(sums.rows.size(), 2048U);
  EXPECT_GT(sums.rows.size(), 1000U);
  ChunkSums of_long;
  ASSERT_TRUE(read_chunk_sums(make_chunk_sums(events, ChunkSumsBy::kLongTime), ChunkSumsBy::kLongTime, of_long));
  EXPECT_LE(of_long.rows.size(), 256U);
  EXPECT_GT(of_long.rows.size(), 100U);
  EXPECT_GE(of_long.unit, 8 * sums.unit);
  std::uint64_t calls = 0, bytes = 0;
  for (const ChunkSum& row : sums.rows) {
    calls += row.sum.calls, bytes += row.sum.bytes;
    EXPECT_EQ(row.time % sums.unit, 0);
    EXPECT_LE(row.sum.calls, static_cast<std::uint64_t>(sums.unit / 16'000'000 + 1));
  }
  EXPECT_EQ(calls, kMostInChunk);
  EXPECT_EQ(bytes, 3 * kMostInChunk);
}

TEST(ChunkSums, AnyTimeIsTaken) {
  for (const std::int64_t other : {std::int64_t{INT64_MAX}, std::int64_t{0}, std::int64_t{INT64_MIN} + 1}) {
    std::vector<EventRecord> events(2);
    events[0].begin = INT64_MIN, events[1].begin = other, events[1].duration = INT64_MAX;
    (void)make_chunk_sums(events, ChunkSumsBy::kTime);
  }
}

TEST(ChunkSums, EveryCutIsNoticed) {
  std::vector<EventRecord> events(100);
  for (std::size_t i = 0; i < events.size(); ++i) events[i].file = i % 7, events[i].begin = -5;
  for (const ChunkSumsBy by : {ChunkSumsBy::kTime, ChunkSumsBy::kLongTime, ChunkSumsBy::kCall, ChunkSumsBy::kFile}) {
    const auto bytes = make_chunk_sums(events, by);
    ChunkSums sums;
    EXPECT_TRUE(read_chunk_sums(bytes, by, sums));
    for (std::size_t size = 0; size < bytes.size(); ++size)
      EXPECT_FALSE(read_chunk_sums(Bytes(bytes).first(size), by, sums)) << size;
    const bool is_timed = by == ChunkSumsBy::kTime || by == ChunkSumsBy::kLongTime;
    EXPECT_FALSE(read_chunk_sums(bytes, is_timed ? ChunkSumsBy::kCall : ChunkSumsBy::kTime, sums));
  }
}

}  // namespace
}  // namespace trikal::storage
