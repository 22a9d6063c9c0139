// What panels ask, and what is thrown away.

#include "store/sqlite/sqlite_store.hpp"

namespace trikal::storage {
namespace {

constexpr const char* kThroughput[] = {
    "SELECT time, operation, sum(calls), sum(bytes), sum(steps) FROM rollup_1 WHERE run = (SELECT id FROM run WHERE "
    "key = ?) "
    "AND time >= ? AND time < ? GROUP BY time, operation",
    "SELECT time, operation, sum(calls), sum(bytes), sum(steps) FROM rollup_10 WHERE run = (SELECT id FROM run WHERE "
    "key = ?) "
    "AND time >= ? AND time < ? GROUP BY time, operation",
    "SELECT time, operation, sum(calls), sum(bytes), sum(steps) FROM rollup_60 WHERE run = (SELECT id FROM run WHERE "
    "key = ?) "
    "AND time >= ? AND time < ? GROUP BY time, operation",
};

double seconds_of(std::int64_t steps) { return static_cast<double>(steps) / stream::kStepsPerSecond; }

}  // namespace

Result<std::vector<StoredSum>> SqliteStore::stored_of(std::uint64_t process) {
  std::vector<StoredSum> sums;
  Statement& find = prepared(
      "SELECT file.key, total.module, total.operation, calls, bytes, steps FROM process JOIN total ON "
      "total.run = process.run AND total.process = process.id JOIN file ON file.id = total.file WHERE process.key = ?");
  int step = find.with(process).step();
  for (; step == SQLITE_ROW; step = find.step())
    sums.push_back({find.id(0),
                    static_cast<ModuleId>(find.number(1)),
                    static_cast<Operation>(find.number(2)),
                    {find.id(3), find.id(4), find.id(5)}});
  find.reset();
  if (step != SQLITE_DONE) return failure("cannot read the store");
  return sums;
}

Result<std::vector<Slice>> SqliteStore::throughput(std::uint64_t run, int width, stream::Nanoseconds from,
                                                   stream::Nanoseconds to) {
  if (width != 1 && width != 10 && width != 60)
    return Error{.code = ErrorCode::kUsage, .what = "slices are 1, 10 or 60 seconds"};
  Statement& find = prepared(kThroughput[width == 1 ? 0 : width == 10 ? 1 : 2]);
  std::vector<Slice> slices;
  int step = find.with(run, from / stream::kSecond, (to + stream::kSecond - 1) / stream::kSecond).step();
  for (; step == SQLITE_ROW; step = find.step())
    slices.push_back({find.number(0) * stream::kSecond, static_cast<Operation>(find.number(1)), find.id(2), find.id(3),
                      seconds_of(find.number(4))});
  find.reset();
  if (step != SQLITE_DONE) return failure("cannot read the store");
  return slices;
}

Result<std::vector<Busy>> SqliteStore::busiest(const char* sql, std::uint64_t run, std::size_t most) {
  Statement& find = prepared(sql);
  std::vector<Busy> rows;
  int step = find.with(run, static_cast<std::int64_t>(most)).step();
  for (; step == SQLITE_ROW; step = find.step())
    rows.push_back({find.text(0), find.number(1), find.number(2), find.id(3), find.id(4), seconds_of(find.number(5))});
  find.reset();
  if (step != SQLITE_DONE) return failure("cannot read the store");
  return rows;
}

Result<std::vector<Busy>> SqliteStore::top_files(std::uint64_t run, std::size_t most) {
  return busiest(
      "SELECT file.name, -1, 0, sum(calls), sum(bytes), sum(steps) AS longest FROM total JOIN file ON file.id = "
      "total.file "
      "WHERE total.run = (SELECT id FROM run WHERE key = ?) GROUP BY total.file ORDER BY longest DESC, file.name LIMIT "
      "?",
      run, most);
}

Result<std::vector<Busy>> SqliteStore::top_processes(std::uint64_t run, std::size_t most) {
  return busiest(
      "SELECT process.command, process.rank, process.pid, sum(calls), sum(bytes), sum(steps) AS longest FROM total "
      "JOIN process ON "
      "process.id = total.process WHERE total.run = (SELECT id FROM run WHERE key = ?) GROUP BY total.process "
      "ORDER BY longest DESC, process.pid LIMIT ?",
      run, most);
}

// By age first. Then, where it is still too large, the finest and oldest go: a tenth of the time that is kept, until it fits.
Status SqliteStore::keep_to(const Retention& retention) {
  const std::int64_t oldest = retention.oldest / stream::kSecond;
  bool ok = execute("BEGIN IMMEDIATE");
  for (const char* forget : {"DELETE FROM rollup_1 WHERE time < ?", "DELETE FROM rollup_10 WHERE time < ?",
                             "DELETE FROM rollup_60 WHERE time < ?", "DELETE FROM system_value WHERE time < ? * 1000"})
    ok = ok && (oldest <= 0 || prepared(forget).with(oldest).run());
  const auto bytes = [&]() -> std::uint64_t {
    Statement& pages = prepared(
        "SELECT (page_count - freelist_count) * page_size FROM pragma_page_count, pragma_freelist_count, "
        "pragma_page_size");
    const std::uint64_t size = pages.step() == SQLITE_ROW ? pages.id(0) : 0;
    pages.reset();
    return size;
  };
  for (int tries = 0; ok && retention.bytes > 0 && bytes() > retention.bytes && tries < 64; ++tries) {
    ok = prepared("DELETE FROM rollup_1 WHERE time <= (SELECT min(time) + (max(time) - min(time)) / 10 FROM rollup_1)")
             .with()
             .run() &&
         prepared(
             "DELETE FROM system_value WHERE time <= (SELECT min(time) + (max(time) - min(time)) / 10 FROM "
             "system_value)")
             .with()
             .run();
    if (tries >= 32)  // what is fine is gone
      ok = ok &&
           prepared(
               "DELETE FROM rollup_10 WHERE time <= (SELECT min(time) + (max(time) - min(time)) / 10 FROM rollup_10)")
               .with()
               .run();
  }
  ok = ok && execute("COMMIT");
  if (ok) return {};
  const Error error = failure("cannot throw away old rows of the store");
  (void)execute("ROLLBACK");
  return error;
}

}  // namespace trikal::storage
