#include "store/sqlite/sqlite_panels.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

namespace trikal::storage {
namespace {

using stream::kSecond;

constexpr ModuleId kPosix = 1, kMpiio = 2;

// Two ranks on two hosts write for some seconds, through POSIX and, above it, MPI-IO.
class PanelsTest : public ::testing::Test {
 protected:
  PanelsTest() { store_ = std::move(*Store::open("sqlite:" + path_, Store::Mode::kWrite)); }
  ~PanelsTest() override { store_.reset(), ::unlink(path_.c_str()); }

  void add(std::uint64_t run, std::int64_t rank, std::int64_t second, std::uint64_t file, ModuleId module,
           stream::Amount amount, Operation operation = Operation::kWrite) {
    const std::uint64_t process = run * 100 + static_cast<std::uint64_t>(rank);
    stream::Batch batch{.source = 1, .sequence = ++sequence_, .host = "login"};
    batch.runs.push_back({run, 1000 * kSecond, "./app", "login"});
    batch.processes.push_back({.process = process,
                               .run = run,
                               .pid = rank + 10,
                               .rank = rank,
                               .start = 1,
                               .host = "n" + std::to_string(rank),
                               .command = "./app"});
    batch.files.push_back({file, "/data/" + std::to_string(file)});
    batch.intervals.push_back({second * kSecond, (second + 1) * kSecond, {{process, file, module, operation, amount}}});
    ASSERT_TRUE(store_->ingest(batch).ok());
  }
  // Cells by |, rows by a line.
  static std::string text(const Result<Table>& table) {
    if (!table) return table.error().what;
    std::string all;
    for (const Row& row : table->rows) {
      for (std::size_t i = 0; i < row.size(); ++i) {
        if (i > 0) all += "|";
        if (const auto* number = std::get_if<std::int64_t>(&row[i])) all += std::to_string(*number);
        if (const auto* real = std::get_if<double>(&row[i])) all += std::to_string(*real).substr(0, 4);
        if (const auto* word = std::get_if<std::string>(&row[i])) all += *word;
      }
      all += "\n";
    }
    return all;
  }
  Panels& panels() { return store_->panels(); }

  std::string path_ = ::testing::TempDir() + "panels-" + std::to_string(::getpid()) + ".sqlite";
  std::unique_ptr<Store> store_;
  std::uint64_t sequence_ = 0;
};

TEST_F(PanelsTest, SumInGroups) {
  add(5, 0, 1000, 7, kPosix, {2, 100, 1 << 20});
  add(5, 1, 1001, 8, kPosix, {3, 300, 2 << 20});
  add(5, 1, 1001, 8, kMpiio, {1, 300, 3 << 20});
  EXPECT_EQ(text(panels().sums({.run = 1, .by = {By::kRank}})), "1|3|300|2.00\n0|2|100|1.00\n");
  EXPECT_EQ(text(panels().sums({.run = 1, .by = {By::kFile, By::kHost}})),
            "/data/8|n1|3|300|2.00\n/data/7|n0|2|100|1.00\n");
  EXPECT_EQ(text(panels().sums({.run = 1, .layers = Layers::kAll, .by = {By::kInterface}})),
            "POSIX|5|400|3.00\nMPI-IO|1|300|3.00\n");
  EXPECT_EQ(text(panels().sums({.run = 1, .interface = "MPI-IO"})), "1|300|3.00\n");
  EXPECT_EQ(text(panels().sums({.run = 1, .by = {By::kTime, By::kOperation}})),
            "1000|write|2|100|1.00\n1001|write|3|300|2.00\n");
}

TEST_F(PanelsTest, KeepToWhatIsAskedFor) {
  add(5, 0, 1000, 7, kPosix, {2, 100, 0});
  add(5, 1, 1001, 8, kPosix, {3, 300, 0});
  add(6, 0, 1001, 8, kPosix, {4, 400, 0}, Operation::kRead);
  const auto bytes = [&](PanelQuery query) { return text(panels().sums(query)); };
  EXPECT_EQ(bytes({.run = 1, .rank = 0}), "2|100|0.00\n");
  EXPECT_EQ(bytes({.file = "/data/8"}), "7|700|0.00\n");
  EXPECT_EQ(bytes({.file = "/data/8' OR 1"}), "0|0|0.00\n");
  EXPECT_EQ(bytes({.operation = "read"}), "4|400|0.00\n");
  EXPECT_EQ(bytes({.run = 1, .from = 1001}), "3|300|0.00\n");
  EXPECT_EQ(bytes({.run = 1, .to = 1001}), "2|100|0.00\n");
  EXPECT_EQ(bytes({.by = {By::kRun}, .most = 1}), "1|5|400|0.00\n");
}

TEST_F(PanelsTest, TakeLongTimesInFewSlices) {
  for (std::int64_t second = 0; second < 600; ++second) add(5, 0, 6000 + second, 7, kPosix, {1, 10, 0});
  std::int64_t width = 0;
  const auto table = panels().sums({.run = 1, .by = {By::kTime}, .slices = 20}, &width);
  ASSERT_TRUE(table.ok());
  EXPECT_LE(table->rows.size(), 20U);
  EXPECT_GE(width, 30);
  std::int64_t calls = 0;
  for (const Row& row : table->rows) calls += std::get<std::int64_t>(row[1]);
  EXPECT_EQ(calls, 600);
}

TEST_F(PanelsTest, ListRunsAndWhatTheyLackAndFind) {
  add(5, 0, 1000, 7, kPosix, {2, 100, 1 << 20});
  const std::int64_t before = panels().version();
  const auto reader = std::move(*Store::open("sqlite:" + path_, Store::Mode::kRead));
  const std::int64_t seen = reader->panels().version();
  stream::Batch batch{.source = 1, .sequence = ++sequence_, .host = "login"};
  batch.findings.push_back({5, 1001 * kSecond, "small-writes", "old", "low", 1});
  batch.findings.push_back({5, 1002 * kSecond, "small-writes", "new", "high", 2});
  batch.findings.push_back({5, 1001 * kSecond, "rewritten", "was true", "high", 9});
  batch.findings.push_back({5, 1002 * kSecond, "rewritten", "was true", "gone", 9});
  batch.drops.push_back({500, "kept", 3});
  batch.system.push_back({1000 * kSecond, "cpu.user", "", 0.5});
  batch.system.push_back({1001 * kSecond, "cpu.user", "", 1.5});
  ASSERT_TRUE(store_->ingest(batch).ok());
  EXPECT_NE(reader->panels().version(), seen);
  EXPECT_EQ(reader->panels().version(), reader->panels().version());
  EXPECT_GE(panels().version(), before);
  EXPECT_EQ(text(panels().runs()), "1|1000|1001|./app|login|1|1|1|0|100|1.00\n");
  EXPECT_EQ(text(panels().findings(1)), "small-writes|high|2.00|new|1001|1002\n");
  EXPECT_EQ(text(panels().drops(1)), "kept|3\n");
  EXPECT_EQ(text(panels().processes(1)), "1|10|0|0|running|0.00|n0|./app\n");
  EXPECT_EQ(text(panels().system({.host = "login", .from = 1000, .to = 1010})),
            "1000|cpu.user||0.50\n1001|cpu.user||1.50\n");
  EXPECT_EQ(text(panels().system({.host = "login", .from = 1000, .to = 1010, .slices = 1})), "1000|cpu.user||1.00\n");
}

}  // namespace
}  // namespace trikal::storage
