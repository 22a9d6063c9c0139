#include "store/sqlite/sqlite_store.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "store/sqlite/schema.hpp"

namespace trikal::storage {
namespace {

using stream::Batch;
using stream::kSecond;

class StoreTest : public ::testing::Test {
 protected:
  ~StoreTest() override { ::unlink(path_.c_str()); }

  std::unique_ptr<Store> open(Store::Mode mode = Store::Mode::kWrite) {
    auto store = Store::open("sqlite:" + path_, mode);
    EXPECT_TRUE(store.ok()) << (store.ok() ? "" : store.error().what);
    return store.ok() ? std::move(*store) : nullptr;
  }
  // Rows as text, cells by |.
  static std::vector<std::string> rows(Store& store, const std::string& sql) {
    std::vector<std::string> found;
    const Status status = store.query(sql, {.columns = [](const auto&) {},
                                            .row =
                                                [&](const Row& row) {
                                                  std::string text;
                                                  for (const Value& value : row) {
                                                    text += text.empty() ? "" : "|";
                                                    if (const auto* number = std::get_if<std::int64_t>(&value))
                                                      text += std::to_string(*number);
                                                    else if (const auto* real = std::get_if<double>(&value))
                                                      text += std::to_string(*real);
                                                    else if (const auto* word = std::get_if<std::string>(&value))
                                                      text += *word;
                                                  }
                                                  found.push_back(text);
                                                  return true;
                                                }});
    EXPECT_TRUE(status.ok()) << status.error().what << ": " << store.message();
    return found;
  }

  std::string path_ = ::testing::TempDir() + "store-" + std::to_string(::getpid()) + ".sqlite";
};

Batch sample(std::uint64_t sequence, std::int64_t second) {
  Batch batch{.source = 1, .sequence = sequence, .host = "node"};
  batch.runs.push_back({50, 1, "./app", "node"});
  batch.processes.push_back({.process = ~std::uint64_t{0},
                             .run = 50,
                             .pid = 12,
                             .parent = 1,
                             .rank = 3,
                             .start = 1,
                             .host = "node",
                             .command = "./app"});
  batch.files.push_back({7, "/data/a"});
  batch.intervals.push_back(
      {second * kSecond, (second + 1) * kSecond, {{~std::uint64_t{0}, 7, 1, Operation::kWrite, {2, 100, 1 << 20}}}});
  batch.system.push_back({second * kSecond, "cpu.user", "", 0.5});
  return batch;
}

TEST_F(StoreTest, TakesEachBatchOnceInAnyOrder) {
  const auto store = open();
  for (const std::uint64_t sequence : {1, 3, 3, 2, 1, 2, 4})
    ASSERT_TRUE(store->ingest(sample(sequence, 100 + static_cast<std::int64_t>(sequence))).ok());
  EXPECT_EQ(rows(*store, "SELECT sum(calls), sum(bytes), sum(seconds) FROM rollups"),
            std::vector<std::string>{"8|400|4.000000"});
  EXPECT_EQ(rows(*store, "SELECT * FROM batch"), std::vector<std::string>{});
  EXPECT_EQ(rows(*store, "SELECT rank, pid, file, interface, operation, calls FROM totals"),
            std::vector<std::string>{"3|12|/data/a|POSIX|write|8"});
  EXPECT_EQ(rows(*store, "SELECT sum(calls) FROM rollup_10 GROUP BY time"), std::vector<std::string>{"8"});
  EXPECT_EQ(rows(*store, "SELECT metric, host, value FROM system LIMIT 1"),
            std::vector<std::string>{"cpu.user|node|0.500000"});
}

TEST_F(StoreTest, GoesOnAfterItWasClosed) {
  ASSERT_TRUE(open()->ingest(sample(1, 100)).ok());
  const auto store = open();
  ASSERT_TRUE(store->ingest(sample(1, 100)).ok());
  const auto sums = store->stored_of(~std::uint64_t{0});
  ASSERT_TRUE(sums.ok());
  ASSERT_EQ(sums->size(), 1U);
  EXPECT_EQ(sums->front().file, 7U);
  EXPECT_EQ(sums->front().amount, (stream::Amount{2, 100, 1 << 20}));
  EXPECT_TRUE(store->stored_of(5)->empty());
}

TEST_F(StoreTest, LearnsLaterWhoseRowsThoseAre) {
  const auto store = open();
  Batch rows_first = sample(1, 100);
  rows_first.runs.clear(), rows_first.processes.clear(), rows_first.files.clear();
  ASSERT_TRUE(store->ingest(rows_first).ok());
  Batch names = sample(2, 100);
  names.intervals.clear();
  ASSERT_TRUE(store->ingest(names).ok());
  EXPECT_EQ(rows(*store, "SELECT runs.command, rank, file, calls FROM rollups JOIN runs USING (run)"),
            std::vector<std::string>{"./app|3|/data/a|2"});
}

// No order of looking at rollups goes through all of them.
TEST_F(StoreTest, FindsRowsByRunRankAndTimeInAnyOrder) {
  const auto store = open();
  ASSERT_TRUE(store->ingest(sample(1, 100)).ok());
  for (const char* where : {"run = 1 AND rank = 3 AND time > 5", "run = 1 AND time > 5 AND rank = 3",
                            "time BETWEEN 5 AND 9 AND run = 1", "run = 1", "time > 100"}) {
    for (const std::string& line :
         rows(*store, std::string("EXPLAIN QUERY PLAN SELECT calls FROM rollups WHERE ") + where))
      EXPECT_EQ(line.find("SCAN"), std::string::npos) << where << ": " << line;
  }
  EXPECT_NE(rows(*store, "EXPLAIN QUERY PLAN SELECT calls FROM rollups")[0].find("SCAN"),
            std::string::npos);  // so it is said
  const auto uses = [&](const char* sql, const char* index) {
    const auto plan = rows(*store, std::string("EXPLAIN QUERY PLAN ") + sql);
    EXPECT_NE(plan.at(0).find(index), std::string::npos) << plan.at(0);
  };
  uses("SELECT * FROM rollup_1 WHERE run = 1 AND process = 2 AND time > 3",
       "PRIMARY KEY (run=? AND process=? AND time>?)");
  uses("SELECT * FROM rollup_1 WHERE run = 1 AND time > 3", "rollup_1_job_time (run=? AND time>?)");
  uses("SELECT * FROM rollup_1 WHERE time > 3", "rollup_1_time (time>?)");
}

TEST_F(StoreTest, ForgetsWhatIsOldOrTooMuchButNotTheSums) {
  const auto store = open();
  for (std::uint64_t i = 1; i <= 2000; ++i)
    ASSERT_TRUE(store->ingest(sample(i, 999 + static_cast<std::int64_t>(i))).ok());
  ASSERT_TRUE(store->keep_to({.oldest = 1500 * kSecond}).ok());
  EXPECT_EQ(rows(*store, "SELECT min(time), count(*) FROM rollup_1"), std::vector<std::string>{"1500|1500"});
  ASSERT_TRUE(store->keep_to({.bytes = 150'000}).ok());
  EXPECT_LT(std::stoi(rows(*store, "SELECT count(*) FROM rollup_1")[0]), 1200);
  EXPECT_EQ(rows(*store, "SELECT calls FROM totals"), std::vector<std::string>{"4000"});
}

TEST_F(StoreTest, HasOneWriterAndManyReaders) {
  const auto store = open();
  ASSERT_TRUE(store->ingest(sample(1, 100)).ok());
  EXPECT_EQ(Store::open("sqlite:" + path_, Store::Mode::kWrite).error().code, ErrorCode::kUsage);
  const auto reader = open(Store::Mode::kRead);
  EXPECT_EQ(rows(*reader, "SELECT count(*) FROM rollups"), std::vector<std::string>{"1"});
  ASSERT_TRUE(store->ingest(sample(2, 100)).ok());
  EXPECT_EQ(rows(*reader, "SELECT sum(calls) FROM rollups"), std::vector<std::string>{"4"});
}

TEST_F(StoreTest, IsOnlyReadByQueries) {
  (void)open()->ingest(sample(1, 100));
  const auto reader = open(Store::Mode::kRead);
  for (const char* sql : {"DELETE FROM run", "ATTACH '/etc/passwd' AS other", "SELECT 1; SELECT 2",
                          "PRAGMA user_version = 9", "", "VACUUM INTO '/tmp/x'"})
    EXPECT_FALSE(reader->query(sql, {.columns = [](const auto&) {}, .row = [](const Row&) { return true; }}).ok())
        << sql;
  EXPECT_EQ(rows(*reader, "SELECT count(*) FROM run;"), std::vector<std::string>{"1"});
}

TEST_F(StoreTest, RefusesWhatIsNoStore) {
  EXPECT_FALSE(Store::open("postgres:x", Store::Mode::kRead).ok());
  EXPECT_FALSE(Store::open("sqlite:", Store::Mode::kRead).ok());
  EXPECT_FALSE(Store::open("sqlite:/nowhere/store", Store::Mode::kWrite).ok());
  EXPECT_FALSE(Store::open("sqlite:/nowhere/store", Store::Mode::kRead).ok());
  std::ofstream(path_) << std::string(5000, 'x');
  EXPECT_EQ(Store::open("sqlite:" + path_, Store::Mode::kWrite).error().code, ErrorCode::kNotALog);
  EXPECT_EQ(Store::open("sqlite:" + path_, Store::Mode::kRead).error().code, ErrorCode::kNotALog);
}

void execute(const std::string& path, const std::string& sql) {
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &database), SQLITE_OK);
  EXPECT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(database);
  sqlite3_close(database);
}

TEST_F(StoreTest, LeavesOtherDatabasesAlone) {
  execute(path_, "CREATE TABLE own (x); INSERT INTO own VALUES (1)");
  EXPECT_EQ(Store::open("sqlite:" + path_, Store::Mode::kWrite).error().code, ErrorCode::kNotALog);
  execute(path_, "DELETE FROM own");  // still there
}

TEST_F(StoreTest, RefusesALaterVersion) {
  (void)open();
  execute(path_, "PRAGMA user_version = 1000");
  EXPECT_EQ(Store::open("sqlite:" + path_, Store::Mode::kWrite).error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(Store::open("sqlite:" + path_, Store::Mode::kRead).error().code, ErrorCode::kUnsupported);
}

TEST_F(StoreTest, BringsAnEarlierVersionUpToDate) {
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(path_.c_str(), &database), SQLITE_OK);
  ASSERT_TRUE(prepare_schema(database, 1).ok());
  EXPECT_EQ(sqlite3_exec(database, "INSERT INTO run (key, command) VALUES (50, 'old')", nullptr, nullptr, nullptr),
            SQLITE_OK);
  sqlite3_close(database);
  EXPECT_EQ(Store::open("sqlite:" + path_, Store::Mode::kRead).error().code,
            ErrorCode::kUnsupported);  // not changed unasked
  const auto store = open();
  ASSERT_TRUE(store
                  ->ingest({.source = 1,
                            .sequence = 1,
                            .host = "",
                            .runs = {},
                            .processes = {},
                            .files = {},
                            .intervals = {},
                            .system = {},
                            .findings = {{50, 1, "reopen", "t", "low", 2}},
                            .drops = {}})
                  .ok());
  EXPECT_EQ(rows(*store, "SELECT command, code FROM findings JOIN runs USING (run)"),
            std::vector<std::string>{"old|reopen"});
}

}  // namespace
}  // namespace trikal::storage
