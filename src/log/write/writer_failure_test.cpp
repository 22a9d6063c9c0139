// What a writer does when the system does not do what it should.

#include <gtest/gtest.h>

#include <cerrno>
#include <cstring>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "log/read/reader.hpp"
#include "log/write/writer.hpp"

namespace trikal::log {
namespace {

// A disk in memory with space for so much, and moods.
struct Disk {
  std::map<std::string, std::vector<std::byte>> files;
  std::string open_name;
  std::size_t capacity = SIZE_MAX;
  std::size_t most_at_once = SIZE_MAX;
  int interrupt_every = 0;
  int calls = 0;
  int close_errno = 0;
  int rename_errno = 0;
  bool writes_nothing = false;
};
Disk* disk = nullptr;

int fail(int code) {
  errno = code;
  return -1;
}

int disk_open(const char* path, int /*flags*/, unsigned /*mode*/) {
  if (disk->interrupt_every > 0 && disk->calls++ == 0) return fail(EINTR);
  disk->open_name = path;
  disk->files[path];
  return 7;
}
ssize_t disk_pwrite(int /*descriptor*/, const void* data, std::size_t size, off_t offset) {
  if (disk->interrupt_every > 0 && disk->calls++ % disk->interrupt_every == 0) return fail(EINTR);
  if (disk->writes_nothing) return 0;
  auto& file = disk->files[disk->open_name];
  const auto at = static_cast<std::size_t>(offset);
  if (at >= disk->capacity) return fail(ENOSPC);
  size = std::min({size, disk->most_at_once, disk->capacity - at});
  if (file.size() < at + size) file.resize(at + size);
  std::memcpy(file.data() + at, data, size);
  return static_cast<ssize_t>(size);
}
int disk_close(int /*descriptor*/) { return disk->close_errno != 0 ? fail(disk->close_errno) : 0; }
int disk_rename(const char* from, const char* to) {
  if (disk->rename_errno != 0) return fail(disk->rename_errno);
  disk->files[to] = disk->files[from];
  disk->files.erase(from);
  return 0;
}
int disk_unlink(const char* path) { return disk->files.erase(path) > 0 ? 0 : fail(ENOENT); }

constexpr FileCalls kDiskCalls = {disk_open, disk_pwrite, disk_close, disk_rename, disk_rename, disk_unlink};

class Failures : public testing::Test {
 protected:
  Failures() { disk = &disk_; }

  // A log of a few thousand names; the first error of any step.
  Status write(WriteOptions options = {}) {
    options.calls = &kDiskCalls;
    Writer writer(memory_->spans());
    Status done = writer.create({.path = "log", .temporary = "log.partial"}, options);
    if (done) {
      auto job = writer.put_job({.uid = 3}, {"", "exe", {}});
      if (!job) done = job.error();
    }
    if (done) done = writer.begin_names();
    std::mt19937_64 random(1);
    for (int i = 0; done && i < 3000; ++i) done = writer.put_name(random(), std::to_string(random()));
    if (done) done = writer.end_region();
    if (done) done = writer.finish(0);
    if (!done) {  // everything after an error fails alike
      EXPECT_EQ(writer.append({}).error().code, done.error().code);
      EXPECT_EQ(writer.finish(0).error().code, done.error().code);
      EXPECT_EQ(writer.trailer(), nullptr);
      writer.abandon();
    }
    return done;
  }

  std::vector<std::byte> whole() {
    EXPECT_TRUE(write());
    return disk_.files["log"];
  }

  Disk disk_;
  std::unique_ptr<FixedWriterMemory<4096, 8>> memory_ = std::make_unique<FixedWriterMemory<4096, 8>>();
};

TEST_F(Failures, ShortWritesAndInterruptionsChangeNothing) {
  const auto expected = whole();
  ASSERT_GT(expected.size(), 20000U);
  disk_ = {.most_at_once = 100, .interrupt_every = 3};
  EXPECT_EQ(whole(), expected);
}

TEST_F(Failures, AFullDiskIsAnErrorWhereverItFills) {
  const std::size_t size = whole().size();
  for (std::size_t capacity = 0; capacity < size; capacity += capacity < 5000 ? 37 : 1009) {
    disk_ = {.capacity = capacity};
    const Status done = write();
    EXPECT_EQ(done.error().code, ErrorCode::kSystem) << capacity;
    EXPECT_EQ(done.error().sys_errno, ENOSPC);
    EXPECT_TRUE(disk_.files.empty()) << "a file was left behind";
  }
  disk_ = {.capacity = size};
  EXPECT_TRUE(write());
}

TEST_F(Failures, AFileThatTakesNothingIsAnErrorNotALoop) {
  disk_.writes_nothing = true;
  EXPECT_EQ(write().error().sys_errno, ENOSPC);
}

TEST_F(Failures, ClosingAndRenamingCanFail) {
  disk_.close_errno = EDQUOT;
  EXPECT_EQ(write().error().sys_errno, EDQUOT);
  EXPECT_TRUE(disk_.files.empty());
  disk_ = {.close_errno = EINTR};  // closed all the same
  EXPECT_TRUE(write());
  disk_ = {.rename_errno = EACCES};
  EXPECT_EQ(write().error().sys_errno, EACCES);
  EXPECT_TRUE(disk_.files.empty());
}

TEST_F(Failures, TheSizeLimitIsKeptBeforeTheKernelKeepsIt) {
  const std::size_t size = whole().size();
  disk_ = {};
  EXPECT_EQ(write({.size_limit = size - 1}).error().code, ErrorCode::kLimit);
  EXPECT_TRUE(disk_.files.empty());
  EXPECT_TRUE(write({.size_limit = size}));
}

TEST_F(Failures, ALogCutOffAnywhereIsNoLog) {
  // The header is written last: what a crash leaves has none.
  const auto bytes = whole();
  std::vector<std::byte> cut = bytes;
  std::fill_n(cut.begin(), NewHeader::kBytes, std::byte{0});
  auto reader = Reader::open(from_memory(cut));
  EXPECT_EQ(reader.error().code, ErrorCode::kNotALog);
  EXPECT_TRUE(Reader::open(from_memory(bytes)));
}

TEST_F(Failures, MemoryThatIsTooSmallIsRefused) {
  WriterMemory memory = memory_->spans();
  memory.encoder = memory.encoder.first(1000);
  Writer writer(memory);
  EXPECT_EQ(writer.create({.path = "log"}, {.calls = &kDiskCalls}).error().code, ErrorCode::kLimit);
  EXPECT_TRUE(disk_.files.empty());
}

}  // namespace
}  // namespace trikal::log
