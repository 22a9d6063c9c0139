// Every log at hand, those of tests/logs at least: read, written, read again, and nothing has changed.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "log/copy.hpp"
#include "log/write/temp_log_test.hpp"

namespace trikal::log {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> all_logs() {
  const fs::path root(TRIKAL_SOURCE_DIR);
  const char* given = std::getenv("TRIKAL_SHARED");
  const fs::path shared = given != nullptr ? fs::path(given) : root.parent_path() / "shared";
  std::vector<std::string> logs;
  for (const fs::path& folder : {root / "tests" / "logs", shared / "logs", shared / "golden" / "runs"}) {
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(folder, none)) {
      if (entry.path().extension() == ".darshan") logs.push_back(entry.path());
    }
  }
  std::ranges::sort(logs);
  return logs;
}

void expect_same_job(const Job& a, const Job& b) {
  EXPECT_EQ(a.uid, b.uid);
  EXPECT_EQ(std::pair(a.start_sec, a.start_nsec), std::pair(b.start_sec, b.start_nsec));
  EXPECT_EQ(std::pair(a.end_sec, a.end_nsec), std::pair(b.end_sec, b.end_nsec));
  EXPECT_EQ(a.nprocs, b.nprocs);
  EXPECT_EQ(a.job_id, b.job_id);
  EXPECT_EQ(a.metadata, b.metadata);
  EXPECT_EQ(a.exe, b.exe);
  EXPECT_EQ(a.mounts, b.mounts);
}

std::vector<std::pair<std::uint64_t, std::string>> names_of(Reader& reader) {
  auto names = reader.names();
  EXPECT_TRUE(names);
  std::vector<std::pair<std::uint64_t, std::string>> all;
  for (const auto& entry : (*names)->entries()) all.emplace_back(entry.id, (*names)->text(entry));
  return all;
}

void expect_same_log(Reader& a, Reader& b) {
  expect_same_job(a.job(), b.job());
  EXPECT_EQ(names_of(a), names_of(b));
  EXPECT_EQ(a.header().partial, b.header().partial);
  EXPECT_EQ(a.modules(), b.modules());
  for (const ModuleId id : a.modules()) {
    EXPECT_TRUE(record_bytes(a, id) == record_bytes(b, id)) << "module " << int{id};
  }
}

class EveryLog : public testing::TestWithParam<ToolWriteOptions> {};

TEST_P(EveryLog, ComesBackAsItWas) {
  const auto logs = all_logs();
  ASSERT_FALSE(logs.empty());
  const TempFolder folder;
  for (const std::string& path : logs) {
    SCOPED_TRACE(path);
    const auto in = read_log(path);
    ASSERT_NE(in, nullptr);
    auto tool = ToolWriter::create(folder.file("out"), GetParam());
    ASSERT_TRUE(tool);
    CopyReport report;
    const Status done = copy_log(*in, (*tool)->writer(), {}, report);
    ASSERT_TRUE(done) << done.error().what;
    EXPECT_TRUE(report.warnings.empty()) << report.warnings[0];
    const auto out = read_log(folder.file("out"));
    ASSERT_NE(out, nullptr);
    EXPECT_STREQ(out->header().version.data(), "3.41");
    expect_same_log(*in, *out);
    EXPECT_TRUE(out->damage().empty());
    fs::remove(folder.file("out"));
  }
}

INSTANTIATE_TEST_SUITE_P(Ways, EveryLog,
                         testing::Values(ToolWriteOptions{}, ToolWriteOptions{.codec = Codec::kBzip2},
                                         ToolWriteOptions{.codec = Codec::kNone},
                                         ToolWriteOptions{.level = 1, .stream_bytes = 4096}),
                         [](const auto& way) { return "Way" + std::to_string(way.index); });

}  // namespace
}  // namespace trikal::log
