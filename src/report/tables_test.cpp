#include "report/tables.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <map>

#include "log/read/sample_log_test.hpp"

namespace trikal::report {
namespace {

// Writes down what it is told, and refuses where the test wants it to.
class Recorder final : public TableWriter {
 public:
  Status begin(const log::TableInfo& table) override { return note("begin " + table.name); }
  Status add(const log::TableInfo& table, const Chunk& chunk) override {
    rows[table.name] += chunk.rows();
    ++chunks[table.name];
    EXPECT_EQ(chunk.columns().size(), table.columns.size());
    return note("add " + table.name);
  }
  Status end(const log::TableInfo& table) override { return note("end " + table.name); }
  Status finish() override { return note("finish"); }

  Status note(const std::string& what) {
    if (told.empty() || told.back() != what) told.push_back(what);
    if (what == refuse) return Error{.code = ErrorCode::kSystem, .what = "refused"};
    return {};
  }

  std::vector<std::string> told;
  std::map<std::string, std::size_t> rows, chunks;
  std::string refuse;
};

class Counting final : public Progress {
 public:
  void at(std::string_view table, std::uint64_t rows) override { last[std::string(table)] = rows; }
  std::map<std::string, std::uint64_t> last;
};

class Tables : public testing::Test {
 protected:
  ExportStatus write(const log::TableOptions& options = {}) {
    reader_ = sample_.open();
    tables_ = log::tables_of(*reader_, options);
    return write_tables(*reader_, tables_, options, recorder_, progress_);
  }

  log::SampleLog sample_{1000};
  std::unique_ptr<log::Reader> reader_;
  std::vector<log::TableInfo> tables_;
  Recorder recorder_;
  Counting progress_;
};

TEST_F(Tables, EachIsBegunFilledAndEnded) {
  const ExportStatus status = write();
  EXPECT_TRUE(status.read.ok());
  EXPECT_TRUE(status.written.ok());
  std::vector<std::string> wanted;
  for (const log::TableInfo& table : tables_) {
    wanted.push_back("begin " + table.name);
    if (recorder_.rows[table.name] > 0) wanted.push_back("add " + table.name);
    wanted.push_back("end " + table.name);
  }
  wanted.emplace_back("finish");
  EXPECT_EQ(recorder_.told, wanted);
  EXPECT_EQ(recorder_.rows["posix"], 1000U);
  EXPECT_EQ(recorder_.rows["job"], 1U);
}

TEST_F(Tables, ChunksAreBoundedAndProgressCountsRows) {
  const ExportStatus status = write({.rows = 64});
  EXPECT_TRUE(status.written.ok());
  EXPECT_GE(recorder_.chunks["posix"], 1000U / 64);
  for (const auto& [table, rows] : recorder_.rows) EXPECT_EQ(progress_.last[table], rows) << table;
}

TEST_F(Tables, AWriterThatFailsIsAskedNothingMore) {
  for (const std::string refuse : {"begin job", "add posix", "end posix"}) {
    recorder_ = {};
    recorder_.refuse = refuse;
    const ExportStatus status = write();
    EXPECT_TRUE(status.read.ok());
    ASSERT_FALSE(status.written.ok());
    EXPECT_EQ(status.written.error().what, std::string("refused"));
    EXPECT_EQ(recorder_.told.back(), refuse);
  }
}

TEST_F(Tables, ALogThatCannotBeReadIsNotFinished) {
  const auto region = sample_.open()->header().modules[modules::posix::kSchema.id];
  std::fstream file(sample_.path(), std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(static_cast<std::streamoff>(region.offset + region.length / 2));
  file << std::string(region.length / 2, '\0');
  file.close();
  const ExportStatus status = write();
  EXPECT_FALSE(status.read.ok());
  EXPECT_TRUE(status.written.ok());
  EXPECT_NE(recorder_.told.back(), "finish");
}

}  // namespace
}  // namespace trikal::report
