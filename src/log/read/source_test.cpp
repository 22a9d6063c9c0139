#include "log/read/source.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <thread>

#include "support/log_builder.hpp"

namespace trikal::log {
namespace {

using testing::bytes_of;
using testing::text_of;

std::string read_at(const Source& source, std::uint64_t offset, std::size_t size) {
  testing::Buffer out(size);
  auto got = source.read_at(offset, out);
  return got ? text_of(Bytes{out}.first(*got)) : "error";
}

class SourceFiles : public ::testing::Test {
 protected:
  SourceFiles() : folder_(std::filesystem::temp_directory_path() / ("trikal-source-" + std::to_string(::getpid()))) {
    std::filesystem::create_directory(folder_);
  }
  ~SourceFiles() override { std::filesystem::remove_all(folder_); }
  [[nodiscard]] std::string path(const char* name) const { return folder_ / name; }

 private:
  std::filesystem::path folder_;
};

TEST_F(SourceFiles, AFileIsReadAnywhere) {
  std::ofstream(path("log")) << "0123456789";
  const auto source = open_file(path("log"));
  ASSERT_TRUE(source);
  EXPECT_EQ((*source)->size(), 10U);
  EXPECT_EQ(read_at(**source, 3, 4), "3456");
  EXPECT_EQ(read_at(**source, 8, 4), "89");
  EXPECT_EQ(read_at(**source, 10, 4), "");
  EXPECT_EQ(read_at(**source, 1000, 4), "");
}

TEST_F(SourceFiles, AnImpossibleOffsetIsAnError) {
  std::ofstream(path("log")) << "0123456789";
  const auto source = open_file(path("log"));
  ASSERT_TRUE(source);
  testing::Buffer out(4);
  auto got = (*source)->read_at(~std::uint64_t{0} - 8, out);
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().code, ErrorCode::kSystem);
}

TEST_F(SourceFiles, WhatCannotBeOpened) {
  const auto missing = open_file(path("missing"));
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::kSystem);
  EXPECT_EQ(missing.error().sys_errno, ENOENT);
  const auto folder = open_file(path("."));
  ASSERT_FALSE(folder);
  EXPECT_EQ(folder.error().sys_errno, EISDIR);
}

TEST_F(SourceFiles, APipeIsReadToItsEnd) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  const std::string text(100000, 'p');
  std::thread writer([&] { std::ofstream(path("pipe")) << text; });
  const auto source = open_file(path("pipe"));
  writer.join();
  ASSERT_TRUE(source);
  EXPECT_EQ((*source)->size(), text.size());
  EXPECT_EQ(read_at(**source, 0, text.size()), text);
}

TEST_F(SourceFiles, AnEndlessDeviceStopsAtTheLimit) {
  const auto source = open_file("/dev/zero", 1 << 20);
  ASSERT_FALSE(source);
  EXPECT_EQ(source.error().code, ErrorCode::kLimit);
}

TEST(ReadAll, TheLimitItselfIsStillFine) {
  for (const std::uint64_t limit : {std::uint64_t{50000}, std::uint64_t{49999}}) {
    std::FILE* file = std::tmpfile();
    ASSERT_NE(file, nullptr);
    const std::string text(50000, 'q');
    ASSERT_EQ(std::fwrite(text.data(), 1, text.size(), file), text.size());
    std::rewind(file);
    const auto source = read_all(::fileno(file), limit);
    std::fclose(file);
    EXPECT_EQ(source.ok(), limit == 50000);
  }
}

TEST(ReadAll, ABadDescriptor) {
  const auto source = read_all(-1, 1000);
  ASSERT_FALSE(source);
  EXPECT_EQ(source.error().sys_errno, EBADF);
}

TEST(FromMemory, ReadsLikeAFile) {
  const auto source = from_memory(bytes_of("0123456789"));
  EXPECT_EQ(source->size(), 10U);
  EXPECT_EQ(read_at(*source, 2, 3), "234");
  EXPECT_EQ(read_at(*source, 9, 3), "9");
  EXPECT_EQ(read_at(*source, 10, 3), "");
  EXPECT_EQ(read_at(*source, ~std::uint64_t{0}, 3), "");
}

// Found by fuzzing a trailer with an empty directory: an empty buffer may be null.
TEST(FromMemory, NothingIsReadIntoNothing) {
  const auto source = from_memory(bytes_of("abc"));
  const auto got = source->read_at(1, {});
  ASSERT_TRUE(got);
  EXPECT_EQ(*got, 0U);
}

}  // namespace
}  // namespace trikal::log
