// What is thrown away.

#include <algorithm>

#include "store/sqlite/sqlite_store.hpp"

namespace trikal::storage {

std::uint64_t SqliteStore::bytes_used() {
  Statement& pages = prepared(
      "SELECT (page_count - freelist_count) * page_size FROM pragma_page_count, pragma_freelist_count, "
      "pragma_page_size");
  const std::uint64_t size = pages.step() == SQLITE_ROW ? pages.id(0) : 0;
  pages.reset();
  return size;
}

// Chunks that ended before then. How many events they had is kept with the counts of their process.
bool SqliteStore::forget_events(stream::Nanoseconds before) {
  pieces_.clear();
  return prepared(
             "INSERT INTO event_count SELECT process, -1, 0, 0, 0, 0, 0, sum(count) FROM event_chunk WHERE last < ? "
             "GROUP BY process ON CONFLICT DO UPDATE SET deleted = deleted + excluded.deleted")
             .with(before)
             .run() &&
         prepared("DELETE FROM event_chunk WHERE last < ?").with(before).run();
}

// Of the time that is kept, the oldest tenth of what is fine; and of slices of ten seconds, if that is not enough.
bool SqliteStore::forget_a_tenth(bool all_widths) {
  Statement& middle = prepared("SELECT min(last) + (max(last) - min(last)) / 10 + 1 FROM event_chunk");
  const stream::Nanoseconds before = middle.with().step() == SQLITE_ROW ? middle.number(0) : 0;
  middle.reset();
  bool ok =
      forget_events(before) &&
      prepared("DELETE FROM rollup_1 WHERE time <= (SELECT min(time) + (max(time) - min(time)) / 10 FROM rollup_1)")
          .with()
          .run() &&
      prepared(
          "DELETE FROM system_value WHERE time <= (SELECT min(time) + (max(time) - min(time)) / 10 FROM system_value)")
          .with()
          .run();
  if (all_widths)
    ok =
        ok &&
        prepared("DELETE FROM rollup_10 WHERE time <= (SELECT min(time) + (max(time) - min(time)) / 10 FROM rollup_10)")
            .with()
            .run();
  return ok;
}

// By age first. Then, where it is still too large, the finest and oldest go: a tenth of the time that is kept, until it fits.
Status SqliteStore::keep_to(const Retention& retention) {
  const std::int64_t oldest = retention.oldest / stream::kSecond;
  bool ok = execute("BEGIN IMMEDIATE");
  for (const char* forget : {"DELETE FROM rollup_1 WHERE time < ?", "DELETE FROM rollup_10 WHERE time < ?",
                             "DELETE FROM rollup_60 WHERE time < ?", "DELETE FROM system_value WHERE time < ? * 1000"})
    ok = ok && (oldest <= 0 || prepared(forget).with(oldest).run());
  ok = ok && (oldest <= 0 || forget_events(retention.oldest));
  constexpr int kFine = 32, kMost = 64;  // tries
  for (int tries = 0; ok && retention.bytes > 0 && bytes_used() > retention.bytes && tries < kMost; ++tries)
    ok = forget_a_tenth(tries >= kFine);
  ok = ok && execute("COMMIT");
  if (ok) return {};
  const Error error = failure("cannot throw away old rows of the store");
  (void)execute("ROLLBACK");
  return error;
}

}  // namespace trikal::storage
