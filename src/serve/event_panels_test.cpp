#include "serve/event_panels.hpp"

#include <gtest/gtest.h>

#include <map>

namespace trikal::serve {
namespace {

// A store that has nothing but events.
class OnlyEvents final : public storage::Store {
 public:
  std::vector<storage::StoredEvent> held;

  Status ingest(const stream::Batch&) override { return none(); }
  Result<std::vector<storage::StoredSum>> stored_of(std::uint64_t) override { return none(); }
  Result<std::vector<stream::RingEntry>> rings_of(std::uint64_t) override { return none(); }
  Status keep_to(const storage::Retention&) override { return none(); }
  storage::Panels& panels() override { std::abort(); }
  Status query(const std::string&, const Answer&) override { return none(); }
  [[nodiscard]] std::string message() const override { return ""; }
  Status events(const storage::EventQuery&, const std::function<bool(const storage::StoredEvent&)>& use) override {
    for (const storage::StoredEvent& event : held) {
      if (!use(event)) break;
    }
    return {};
  }

 private:
  static Error none() { return {.code = ErrorCode::kMissing, .what = "nothing"}; }
};

std::int64_t number(const storage::Value& value) { return std::get<std::int64_t>(value); }

TEST(EventPanels, ShowsTheFirstByTime) {
  OnlyEvents store;
  for (const std::int64_t time : {50, 10, 40, 20, 30})
    store.held.push_back({.time = time * stream::kSecond, .operation = "write"});
  auto table = event_rows(store, {}, 3);
  ASSERT_TRUE(table.ok());
  count_from(*table, 5);
  ASSERT_EQ(table->rows.size(), 3U);
  EXPECT_EQ(number(table->rows[0][0]), 5 * stream::kSecond);
  EXPECT_EQ(number(table->rows[1][0]), 15 * stream::kSecond);
  EXPECT_EQ(number(table->rows[2][0]), 25 * stream::kSecond);
}

TEST(EventPanels, CountsDurationsAndLengthsInPowersOfTwo) {
  OnlyEvents store;
  for (std::int64_t i = 1; i <= 1000; ++i)
    store.held.push_back(
        {.duration = i * 1000, .operation = i % 10 == 0 ? "open" : "write", .length = i % 10 == 0 ? 0 : 4096});
  store.held.push_back({.duration = INT64_MAX, .operation = "write", .length = INT64_MAX});
  store.held.push_back({.duration = -5, .operation = "write", .length = -1});
  const auto table = event_distribution(store, {});
  ASSERT_TRUE(table.ok());
  std::map<std::pair<std::string, std::string>, std::int64_t> counts, values;
  for (const storage::Row& row : table->rows) {
    const std::pair key(std::get<std::string>(row[0]), std::get<std::string>(row[1]));
    counts[key] += number(row[3]), values[key] = number(row[2]);
  }
  EXPECT_EQ((counts[{"write", "duration"}]), 902);
  EXPECT_EQ((counts[{"write", "length"}]), 901);
  EXPECT_EQ((counts[{"open", "duration"}]), 100);
  EXPECT_EQ(counts.count({"open", "length"}), 0U);
  EXPECT_NEAR(static_cast<double>(values[{"open", "p50"}]), 505e3, 505e3 / 16);
  EXPECT_NEAR(static_cast<double>(values[{"open", "p99"}]), 1e6, 1e6 / 16);
  EXPECT_EQ((values[{"open", "max"}]), 1'000'000);
  EXPECT_EQ((values[{"write", "max"}]), INT64_MAX);
}

}  // namespace
}  // namespace trikal::serve
