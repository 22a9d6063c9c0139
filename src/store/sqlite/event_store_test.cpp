// Events in the store: what comes in comes out, by SQL and by the interface.

#include <gtest/gtest.h>
#include <unistd.h>

#include <map>

#include "store/sqlite/schema.hpp"
#include "store/sqlite/sqlite_store.hpp"

namespace trikal::storage {
namespace {

using stream::Batch;
using stream::EventRecord;
using stream::kSecond;

constexpr std::uint64_t kProcess = 1'000;  // and the next ones

class EventStoreTest : public ::testing::Test {
 protected:
  ~EventStoreTest() override { ::unlink(path_.c_str()); }

  std::unique_ptr<Store> open(Store::Mode mode = Store::Mode::kWrite) {
    auto store = Store::open("sqlite:" + path_, mode);
    EXPECT_TRUE(store.ok()) << (store.ok() ? "" : store.error().what);
    return store.ok() ? std::move(*store) : nullptr;
  }
  static std::string cell(const Value& value) {
    if (const auto* number = std::get_if<std::int64_t>(&value)) return std::to_string(*number);
    if (const auto* real = std::get_if<double>(&value)) return std::to_string(*real);
    const auto* text = std::get_if<std::string>(&value);
    return text == nullptr ? "NULL" : *text;
  }
  static Status ask(Store& store, const std::string& sql, std::vector<std::string>& found) {
    return store.query(sql, {.columns = [](const auto&) {},
                             .row =
                                 [&](const Row& row) {
                                   std::string text;
                                   for (const Value& value : row) text += (text.empty() ? "" : "|") + cell(value);
                                   return found.push_back(text), true;
                                 }});
  }
  static std::vector<std::string> rows(Store& store, const std::string& sql) {
    std::vector<std::string> found;
    const Status status = ask(store, sql, found);
    EXPECT_TRUE(status.ok()) << status.error().what << ": " << store.message();
    return found;
  }
  static std::string one(Store& store, const std::string& sql) {
    const auto found = rows(store, sql);
    return found.size() == 1 ? found[0] : std::to_string(found.size()) + " rows";
  }
  void execute(const std::string& sql) {
    sqlite3* database = nullptr;
    ASSERT_EQ(sqlite3_open(path_.c_str(), &database), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(database);
    sqlite3_close(database);
  }

  std::string path_ = ::testing::TempDir() + "event-store-" + std::to_string(::getpid()) + ".sqlite";
};

void describe(Batch& batch, std::uint64_t process, std::int64_t rank) {
  batch.runs.push_back({50, 1, "./app", "node"});
  batch.processes.push_back(
      {.process = process, .run = 50, .pid = 12 + rank, .rank = rank, .host = "node", .command = "./app"});
  batch.files.push_back({7, "/data/a"});
}

// A piece of a rank: `count` writes of 10 bytes, one a millisecond from `second` on.
Batch piece(std::uint64_t sequence, std::int64_t rank, std::int64_t second, std::uint32_t count) {
  Batch batch{.source = 1, .sequence = sequence, .host = "node"};
  describe(batch, kProcess + static_cast<std::uint64_t>(rank), rank);
  stream::EventList list{
      .process = kProcess + static_cast<std::uint64_t>(rank), .run = 50, .events = {}, .details = {}};
  for (std::uint32_t i = 0; i < count; ++i)
    list.events.push_back({.begin = second * kSecond + i * 1'000'000,
                           .duration = 5'000,
                           .offset = 10 * i,
                           .length = 10,
                           .file = 7,
                           .thread = i % 2,
                           .operation = 3,
                           .sequence = i / 2});
  batch.event_counts.push_back({.process = list.process, .thread = 0, .stored = count - count / 2});
  batch.event_counts.push_back({.process = list.process, .thread = 1, .stored = count / 2, .ring_full = 1});
  batch.events.push_back(std::move(list));
  return batch;
}

TEST_F(EventStoreTest, SqlSeesEveryEventWithNames) {
  const auto store = open();
  ASSERT_TRUE(store->ingest(piece(1, 3, 100, 6)).ok());
  ASSERT_TRUE(store->ingest(piece(1, 3, 100, 6)).ok());  // once
  EXPECT_EQ(one(*store,
                "SELECT time, duration, run, rank, pid, thread, interface, operation, file, offset, length, sequence, "
                "object, address, begin_ns, duration_ns FROM events WHERE thread = 1 ORDER BY time DESC LIMIT 1"),
            "100.005000|0.000005|1|3|15|1|POSIX|write|/data/a|50|10|2|NULL|NULL|100005000000|5000");
  EXPECT_EQ(one(*store, "SELECT count(*), sum(length) FROM events"), "6|60");
  EXPECT_EQ(rows(*store, "SELECT pid, thread, emitted, stored, dropped, ring_full FROM event_counts"),
            (std::vector<std::string>{"15|0|3|3|0|0", "15|1|4|3|1|1"}));
  EXPECT_EQ(rows(*store, "SELECT * FROM event_details").size(), 0U);
}

TEST_F(EventStoreTest, PiecesBecomeChunksAndNothingIsLost) {
  {
    const auto store = open();
    for (std::uint64_t i = 1; i <= 700; ++i)
      ASSERT_TRUE(store->ingest(piece(i, 0, 100 + static_cast<std::int64_t>(i), 30)).ok());
    EXPECT_LT(std::stoi(one(*store, "SELECT count(*) FROM event_chunk")), 300);
    EXPECT_EQ(one(*store, "SELECT count(*), sum(length), count(DISTINCT begin_ns) FROM events"), "21000|210000|21000");
    ASSERT_TRUE(store->ingest(piece(701, 1, 100, 20'000)).ok());  // more than a chunk
  }
  const auto store = open(Store::Mode::kRead);
  EXPECT_EQ(one(*store, "SELECT count(*) FROM event_chunk WHERE packing = 0"), "0");
  EXPECT_EQ(one(*store, "SELECT max(count) <= 8192 FROM event_chunk"), "1");
  EXPECT_EQ(rows(*store, "SELECT rank, count(*), max(sequence) FROM events GROUP BY rank"),
            (std::vector<std::string>{"0|21000|14", "1|20000|9999"}));
}

// As a page asks for them: each order of run, rank and time is answered from the chunks it needs.
TEST_F(EventStoreTest, ConditionsChooseChunks) {
  {
    const auto store = open();
    for (std::uint64_t i = 1; i <= 40; ++i)
      ASSERT_TRUE(
          store->ingest(piece(i, static_cast<std::int64_t>(i % 4), 100 + static_cast<std::int64_t>(i), 8192)).ok());
  }
  // What is read although it is not needed would be noticed.
  execute("UPDATE event_chunk SET data = x'00' WHERE NOT (rank = 2 AND first BETWEEN 106e9 AND 119e9)");
  const auto store = open(Store::Mode::kRead);
  for (const char* where :
       {"run = 1 AND rank = 2 AND time BETWEEN 110 AND 113", "rank = 2 AND time >= 110 AND time < 113 AND run = 1",
        "begin_ns >= 110000000000 AND begin_ns <= 113000000000 AND rank = 2",
        "rank IN (2) AND time > 109 AND time < 119", "process = 2 AND time > 109 AND time < 119"})
    EXPECT_EQ(one(*store, std::string("SELECT count(*) > 0, min(rank), max(rank) FROM events WHERE ") + where), "1|2|2")
        << where;
  std::vector<std::string> found;
  const Status all = ask(*store, "SELECT count(*) FROM events", found);
  ASSERT_FALSE(all.ok());
  EXPECT_EQ(all.error().code, ErrorCode::kDamaged);
  EXPECT_NE(store->message().find("event chunk 1 is damaged"), std::string::npos) << store->message();
  for (const auto& [where, index] : std::map<std::string, std::string>{
           {"run = 1 AND rank = 2 AND first < 9", "event_chunk_job_rank (run=? AND rank=? AND first<?)"},
           {"run = 1 AND first < 9", "event_chunk_job_time (run=? AND first<?)"},
           {"first < 9", "event_chunk_time (first<?)"},
           {"process = 1 AND first < 9", "event_chunk_process (process=? AND first<?)"}}) {
    const auto plan =
        rows(*store, "EXPLAIN QUERY PLAN SELECT data FROM event_chunk WHERE " + where + " ORDER BY first");
    ASSERT_EQ(plan.size(), 1U) << where;  // and sorts nothing
    EXPECT_NE(plan[0].find(index), std::string::npos) << plan[0];
  }
}

TEST_F(EventStoreTest, BoundsOfTimeAreExact) {
  const auto store = open();
  ASSERT_TRUE(store->ingest(piece(1, 0, 1'700'000'000, 1000)).ok());
  for (const auto& [where, count] :
       std::map<std::string, std::string>{{"begin_ns = 1700000000500000000", "1"},
                                          {"begin_ns > 1700000000500000000", "499"},
                                          {"begin_ns >= 1700000000500000000", "500"},
                                          {"begin_ns < 1700000000500000000", "500"},
                                          {"time >= 1700000000.5", "500"},
                                          {"time < 1700000000.5", "500"},
                                          {"time = 1700000000.5", "1"},
                                          {"time > 1e300", "0"},
                                          {"time > 'text'", "0"},
                                          {"rank = 0.0", "1000"},
                                          {"rank = NULL", "0"},
                                          {"run = 1 AND run = 2", "0"},
                                          {"thread = 1 AND length = 10 AND file = '/data/a'", "500"}})
    EXPECT_EQ(one(*store, "SELECT count(*) FROM events WHERE " + where), count) << where;
}

TEST_F(EventStoreTest, InterfaceFiltersAndEndsEarly) {
  const auto store = open();
  Batch batch = piece(1, 0, 100, 10);
  batch.events[0].events[4].file = 8, batch.events[0].events[4].operation = 1030;
  batch.events[0].events[4].call_site = stream::call_site_of(2, 0x1234);
  batch.events[0].details.resize(10);
  batch.events[0].details[4].selection = 3;
  batch.files.push_back({8, "/data/b"});
  batch.operations.push_back({kProcess, 1030, "KV", "put"});
  batch.objects.push_back({kProcess, 2, "/lib/x.so"});
  ASSERT_TRUE(store->ingest(batch).ok());
  ASSERT_TRUE(store->ingest(piece(2, 1, 100, 10)).ok());
  const auto count = [&](const EventQuery& query) {
    std::size_t found = 0;
    EXPECT_TRUE(store->events(query, [&](const StoredEvent&) { return ++found, true; }).ok());
    return found;
  };
  EXPECT_EQ(count({}), 20U);
  EXPECT_EQ(count({.most = 7}), 7U);
  EXPECT_EQ(count({.run = 50}), 20U);
  EXPECT_EQ(count({.run = 51}), 0U);
  EXPECT_EQ(count({.process = kProcess + 1, .thread = 1}), 5U);
  EXPECT_EQ(count({.rank = 1, .from = 100 * kSecond, .to = 100 * kSecond + 3'000'000}), 3U);
  EXPECT_EQ(count({.file = "/data/a"}), 19U);
  EXPECT_EQ(count({.interface = "POSIX", .operation = "write"}), 19U);
  std::size_t asked = 0;
  ASSERT_TRUE(store
                  ->events({.operation = "put"},
                           [&](const StoredEvent& event) {
                             EXPECT_EQ(event.interface, "KV");
                             EXPECT_EQ(event.file_name, "/data/b");
                             EXPECT_EQ(event.file, 8U);
                             EXPECT_EQ(event.object, "/lib/x.so");
                             EXPECT_EQ(event.address, 0x1234U);
                             EXPECT_EQ(event.run, 50U);
                             EXPECT_EQ(event.process, kProcess);
                             EXPECT_EQ(event.command, "./app");
                             EXPECT_EQ(event.details->selection, 3);
                             return ++asked, false;
                           })
                  .ok());
  EXPECT_EQ(asked, 1U);
  EXPECT_EQ(one(*store, "SELECT operation, selection, highest_read FROM event_details WHERE file = '/data/b'"),
            "put|3|-1");
}

TEST_F(EventStoreTest, LearnsLaterWhoseEventsThoseAre) {
  const auto store = open();
  Batch first = piece(1, 2, 100, 4);
  first.runs.clear(), first.processes.clear(), first.files.clear();
  for (EventRecord& event : first.events[0].events) event.rank = 9;
  ASSERT_TRUE(store->ingest(first).ok());
  EXPECT_EQ(one(*store, "SELECT rank, pid, file, count(*) FROM events"), "9|0|NULL|4");
  Batch names{.source = 1, .sequence = 2, .host = "node"};
  describe(names, kProcess + 2, 2);
  ASSERT_TRUE(store->ingest(names).ok());
  EXPECT_EQ(one(*store, "SELECT runs.command, rank, pid, file, count(*) FROM events JOIN runs USING (run)"),
            "./app|2|14|/data/a|4");
}

TEST_F(EventStoreTest, RemembersHowFarRingsWereRead) {
  Batch batch = piece(1, 0, 100, 4);
  batch.rings = {{kProcess, 0, 4, 1, 2, 3}, {kProcess, stream::RingEntry::kNone, 0, 9, 0, 0}};
  ASSERT_TRUE(open()->ingest(batch).ok());
  const auto store = open();
  const auto rings = store->rings_of(kProcess);
  ASSERT_TRUE(rings.ok());
  EXPECT_EQ(*rings, (std::vector<stream::RingEntry>{batch.rings[1], batch.rings[0]}));
  EXPECT_TRUE(store->rings_of(5)->empty());
}

TEST_F(EventStoreTest, RetentionDeletesAndCounts) {
  const auto store = open();
  for (std::uint64_t i = 1; i <= 100; ++i)
    ASSERT_TRUE(store->ingest(piece(i, 0, 100 + static_cast<std::int64_t>(i), 8192)).ok());
  ASSERT_TRUE(store->keep_to({.oldest = 150 * kSecond}).ok());
  const std::string left = one(*store, "SELECT count(*) FROM events");
  EXPECT_LT(std::stol(left), 60 * 8192);
  EXPECT_GT(std::stol(left), 40 * 8192);
  EXPECT_EQ(one(*store, "SELECT sum(stored) - sum(deleted) FROM event_counts"), left);
  EXPECT_EQ(one(*store, "SELECT sum(stored) FROM event_counts"), std::to_string(100 * 8192));
  ASSERT_TRUE(store->keep_to({.bytes = 200'000}).ok());
  EXPECT_LT(std::stol(one(*store, "SELECT count(*) FROM events")), std::stol(left));
}

TEST_F(EventStoreTest, NothingWritesThroughTheTable) {
  (void)open()->ingest(piece(1, 0, 100, 4));
  const auto store = open(Store::Mode::kRead);
  std::vector<std::string> none;
  EXPECT_FALSE(ask(*store, "INSERT INTO event_rows (time) VALUES (1)", none).ok());
  EXPECT_FALSE(ask(*store, "CREATE VIRTUAL TABLE other USING event_rows", none).ok());
}

// A store of version 2 is taken over with what it has.
TEST_F(EventStoreTest, VersionTwoIsUpgraded) {
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(path_.c_str(), &database), SQLITE_OK);
  ASSERT_TRUE(prepare_schema(database, 2).ok());
  EXPECT_EQ(sqlite3_exec(database, "INSERT INTO run (key, command) VALUES (50, 'old')", nullptr, nullptr, nullptr),
            SQLITE_OK);
  sqlite3_close(database);
  EXPECT_EQ(Store::open("sqlite:" + path_, Store::Mode::kRead).error().code, ErrorCode::kUnsupported);
  const auto store = open();
  EXPECT_EQ(one(*store, "SELECT user_version FROM pragma_user_version"), "7");
  Batch batch = piece(1, 0, 100, 4);
  batch.runs.clear();
  ASSERT_TRUE(store->ingest(batch).ok());
  EXPECT_EQ(one(*store, "SELECT command, count(*) FROM events JOIN runs USING (run)"), "old|4");
}

TEST_F(EventStoreTest, KeepsWhatAProcessIsByteForByte) {
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(path_.c_str(), &database), SQLITE_OK);
  ASSERT_TRUE(prepare_schema(database, 3).ok());
  EXPECT_EQ(sqlite3_exec(database, "INSERT INTO process (key, run) VALUES (77, 1)", nullptr, nullptr, nullptr),
            SQLITE_OK);
  sqlite3_close(database);
  const auto store = open();
  const auto old = store->process(77);  // of a store that kept nothing of it
  ASSERT_TRUE(old.has_value());
  EXPECT_TRUE(old->uid == -1 && old->job == -1 && old->program.empty() && !old->start);
  EXPECT_FALSE(store->process(78).has_value());
  Batch batch = piece(1, 0, 100, 4);
  batch.processes[0].uid = 7, batch.processes[0].job = std::int64_t{1} << 40, batch.processes[0].start = 5;
  batch.processes[0].program = "/bin/\xff\xfe", batch.files[0].name = "/data/\xff";
  ASSERT_TRUE(store->ingest(batch).ok());
  const auto process = store->process(kProcess);
  ASSERT_TRUE(process.has_value());
  EXPECT_TRUE(process->uid == 7 && process->job == std::int64_t{1} << 40 && process->start == 5);
  EXPECT_EQ(process->program, "/bin/\xff\xfe");
  EXPECT_EQ(store->file_name(7), "/data/\xff");
  EXPECT_FALSE(store->file_name(8).has_value());
  EXPECT_EQ(one(*store, "SELECT uid, job, program FROM processes WHERE uid IS NOT NULL"),
            "7|1099511627776|/bin/\xef\xbf\xbd\xef\xbf\xbd");
}

// Pieces, a whole chunk at once, pieces again: the order of a thread is that in which they came.
TEST_F(EventStoreTest, EventsAreHandedOverAsTheyCame) {
  {
    const auto store = open();
    std::uint64_t sequence = 0;
    std::uint32_t next = 0;
    for (const std::uint32_t count : {30U, 40U, 20'000U, 50U, 60U}) {
      ++sequence;
      Batch batch = piece(sequence, 0, 1000 - static_cast<std::int64_t>(sequence), count);
      for (EventRecord& event : batch.events[0].events) event.thread = 0, event.sequence = next++;
      ASSERT_TRUE(store->ingest(batch).ok());
    }
  }
  EventQuery query;
  query.order = EventQuery::Order::kStored;
  std::uint32_t expected = 0;
  ASSERT_TRUE(open(Store::Mode::kRead)
                  ->events(query,
                           [&](const StoredEvent& event) {
                             EXPECT_EQ(event.operation_number, 3U);
                             return event.sequence == expected++;
                           })
                  .ok());
  EXPECT_EQ(expected, 20'180U);
}

// What a writer left that was killed: pieces stay readable, and the next one compresses them.
TEST_F(EventStoreTest, DamagedPieceIsNamedAndKeepsNobody) {
  {
    const auto store = open();
    ASSERT_TRUE(store->ingest(piece(1, 0, 100, 4)).ok());
    ASSERT_TRUE(store->ingest(piece(2, 0, 101, 4)).ok());
    execute("UPDATE event_chunk SET data = x'0102' WHERE id = 1");
  }
  const auto store = open();
  ASSERT_TRUE(store->ingest(piece(3, 0, 102, 4)).ok());
  EXPECT_EQ(one(*store, "SELECT count(*) FROM events WHERE time >= 101"), "8");
  EXPECT_FALSE(store->events({}, [](const StoredEvent&) { return true; }).ok());
  EXPECT_NE(store->message().find("event chunk 1 is damaged"), std::string::npos);
}

}  // namespace
}  // namespace trikal::storage
