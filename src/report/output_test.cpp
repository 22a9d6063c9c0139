#include "report/output.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

namespace trikal::report {
namespace {

namespace fs = std::filesystem;

class Output : public testing::Test {
 protected:
  Output() {
    std::string pattern = testing::TempDir() + "trikal-output-XXXXXX";
    folder_ = ::mkdtemp(pattern.data());
  }
  ~Output() override { fs::remove_all(folder_); }

  [[nodiscard]] std::string path(const std::string& name) const { return folder_ / name; }
  void put(const std::string& name, const std::string& text) const { std::ofstream(path(name)) << text; }
  [[nodiscard]] std::string read(const std::string& name) const {
    std::ostringstream text;
    text << std::ifstream(path(name)).rdbuf();
    return text.str();
  }
  // Everything there is, so that nothing left behind stays unseen.
  [[nodiscard]] std::set<std::string> names() const {
    std::set<std::string> found;
    for (const auto& entry : fs::recursive_directory_iterator(folder_)) {
      found.insert(fs::relative(entry.path(), folder_).string());
    }
    return found;
  }

  fs::path folder_;
};

using Names = std::set<std::string>;

TEST_F(Output, AFileStaysOnlyIfKept) {
  {
    auto file = OutputFile::create(path("a"), Replace::kNo);
    ASSERT_TRUE(file);
    EXPECT_EQ(::write((*file)->descriptor(), "x", 1), 1);
    EXPECT_EQ((*file)->working_path(), path("a"));
  }
  EXPECT_EQ(names(), Names{});
  {
    auto file = OutputFile::create(path("a"), Replace::kNo);
    ASSERT_TRUE(file);
    EXPECT_EQ(::write((*file)->descriptor(), "x", 1), 1);
    EXPECT_TRUE((*file)->keep().ok());
  }
  EXPECT_EQ(read("a"), "x");
}

TEST_F(Output, WhatIsThereIsRefused) {
  put("a", "old");
  const auto file = OutputFile::create(path("a"), Replace::kNo);
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().sys_errno, EEXIST);
  EXPECT_EQ(read("a"), "old");
}

TEST_F(Output, ReplacingHappensAtTheEndOrNotAtAll) {
  put("a", "old");
  {
    auto file = OutputFile::create(path("a"), Replace::kYes);
    ASSERT_TRUE(file);
    EXPECT_EQ(::write((*file)->descriptor(), "new", 3), 3);
    EXPECT_NE((*file)->working_path(), path("a"));
    EXPECT_EQ(read("a"), "old") << "as long as it is not kept";
  }
  EXPECT_EQ(read("a"), "old");
  EXPECT_EQ(names(), Names{"a"});
  auto file = OutputFile::create(path("a"), Replace::kYes);
  ASSERT_TRUE(file);
  EXPECT_EQ(::write((*file)->descriptor(), "new", 3), 3);
  EXPECT_TRUE((*file)->keep().ok());
  EXPECT_EQ(read("a"), "new");
  EXPECT_EQ(names(), Names{"a"});
}

TEST_F(Output, APipeIsWrittenToAndNeverRemoved) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  const int reader = ::open(path("pipe").c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  ASSERT_GE(reader, 0);
  for (const Replace replace : {Replace::kNo, Replace::kYes}) {
    auto file = OutputFile::create(path("pipe"), replace);
    ASSERT_TRUE(file);
    EXPECT_EQ(::write((*file)->descriptor(), "x", 1), 1);
  }
  char two[2];
  EXPECT_EQ(::read(reader, two, 2), 2);
  ::close(reader);
  EXPECT_EQ(names(), Names{"pipe"});
}

TEST_F(Output, NowhereToWrite) {
  EXPECT_EQ(OutputFile::create(path("no/such/a"), Replace::kNo).error().sys_errno, ENOENT);
  EXPECT_EQ(OutputFile::create(folder_, Replace::kYes).error().sys_errno, EISDIR);
  put("file", "");
  EXPECT_EQ(OutputFile::create(path("file/a"), Replace::kNo).error().sys_errno, ENOTDIR);
  EXPECT_EQ(open_directory(path("file"), "csv", Replace::kNo).error().code, ErrorCode::kSystem);
  EXPECT_EQ(names(), Names{"file"});
}

TEST_F(Output, ADirectoryHasAFileForEachTable) {
  auto output = open_directory(path("deep/out"), "csv", Replace::kNo);
  ASSERT_TRUE(output);
  EXPECT_FALSE((*output)->is_stream());
  for (const char* table : {"posix", "stdio"}) {
    auto sink = (*output)->open(table);
    ASSERT_TRUE(sink);
    (*sink)->put(table);
    EXPECT_TRUE((*output)->close().ok());
  }
  EXPECT_EQ(read("deep/out/posix.csv"), "posix");
  EXPECT_EQ(read("deep/out/stdio.csv"), "stdio");

  const auto again = open_directory(path("deep/out"), "csv", Replace::kNo);
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().sys_errno, ENOTEMPTY);
  auto replaced = open_directory(path("deep/out"), "csv", Replace::kYes);
  ASSERT_TRUE(replaced);
  auto sink = (*replaced)->open("posix");
  ASSERT_TRUE(sink);
  (*sink)->put("new");
  EXPECT_TRUE((*replaced)->close().ok());
  EXPECT_EQ(read("deep/out/posix.csv"), "new");
}

TEST_F(Output, AnAbandonedTableIsNotLeftHalfWritten) {
  {
    auto output = open_directory(path("out"), "csv", Replace::kNo);
    ASSERT_TRUE(output);
    auto sink = (*output)->open("posix");
    ASSERT_TRUE(sink);
    (*sink)->put("half");
  }
  EXPECT_EQ(names(), Names{"out"});
}

TEST_F(Output, ASingleFileTakesAllTables) {
  auto output = open_single_file(path("a"), Replace::kNo);
  ASSERT_TRUE(output);
  EXPECT_FALSE((*output)->is_stream());
  auto sink = (*output)->open("posix");
  ASSERT_TRUE(sink);
  (*sink)->put("one");
  EXPECT_EQ(*(*output)->open("stdio"), *sink);
  EXPECT_TRUE((*output)->close().ok());
  EXPECT_EQ(read("a"), "one");
}

TEST_F(Output, AFullDeviceIsAnError) {
  auto output = open_single_file("/dev/full", Replace::kNo);
  ASSERT_TRUE(output);
  auto sink = (*output)->open("");
  ASSERT_TRUE(sink);
  (*sink)->put("x");
  const Status closed = (*output)->close();
  ASSERT_FALSE(closed.ok());
  EXPECT_EQ(closed.error().sys_errno, ENOSPC);
}

TEST_F(Output, StandardOutputIsAStream) { EXPECT_TRUE(open_standard_output()->is_stream()); }

}  // namespace
}  // namespace trikal::report
