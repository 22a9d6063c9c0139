#include "log/write/writer.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "log/read/reader.hpp"
#include "log/write/tool_writer.hpp"
#include "modules/posix/schema.hpp"
#include "schema/record.hpp"

namespace trikal::log {
namespace {

using PosixRecord = Record<modules::posix::kSchema>;
constexpr ModuleId kPosix = modules::posix::kSchema.id;

class WriterTest : public testing::Test {
 protected:
  WriterTest() {
    std::string pattern = testing::TempDir() + "trikal-writer-XXXXXX";
    folder_ = ::mkdtemp(pattern.data());
    path_ = folder_ + "/log.darshan";
    temporary_ = folder_ + "/log.darshan_partial";
  }
  ~WriterTest() override { std::filesystem::remove_all(folder_); }

  [[nodiscard]] WriteTarget target() const { return {.path = path_.c_str(), .temporary = temporary_.c_str()}; }
  [[nodiscard]] std::size_t files() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder_), {}));
  }
  [[nodiscard]] std::unique_ptr<Reader> read() const {
    auto source = open_file(path_);
    EXPECT_TRUE(source);
    auto reader = Reader::open(std::move(*source));
    EXPECT_TRUE(reader) << reader.error().what;
    return reader ? std::move(*reader) : nullptr;
  }

  static Bytes bytes_of(const PosixRecord& record) { return std::as_bytes(std::span{record.words}); }

  std::unique_ptr<FixedWriterMemory<>> memory_ = std::make_unique<FixedWriterMemory<>>();
  std::string folder_, path_, temporary_;
};

std::vector<std::int64_t> opens_of(Reader& reader) {
  std::vector<std::int64_t> opens;
  auto records = reader.records(kPosix);
  EXPECT_TRUE(records);
  Batch batch;
  for (;;) {
    auto more = (*records)->next(batch);
    EXPECT_TRUE(more);
    if (!more || !*more) return opens;
    for (std::size_t i = 0; i < batch.count; ++i) {
      opens.push_back(load<std::int64_t>(batch.record(i, modules::posix::kSchema) + 16));
    }
  }
}

void expect_job(const Job& job) {
  EXPECT_EQ(job.uid, 1000);
  EXPECT_EQ(job.start_sec, 10);
  EXPECT_EQ(job.start_nsec, 20);
  EXPECT_EQ(job.end_sec, 30);
  EXPECT_EQ(job.end_nsec, 40);
  EXPECT_EQ(job.nprocs, 2);
  EXPECT_EQ(job.job_id, 77);
  EXPECT_EQ(job.metadata, "lib_ver=1\n");
  EXPECT_EQ(job.exe, "./app 1 2");
  EXPECT_EQ(job.mounts, (std::vector<Mount>{{"/dev/shm", "tmpfs"}, {"/", "ext4"}}));
}

TEST_F(WriterTest, WhatIsWrittenIsRead) {
  Writer writer(memory_->spans());
  ASSERT_TRUE(writer.create(target()));
  const std::vector<MountText> mounts = {{"ext4", "/"}, {"tmpfs", "/dev/shm"}};
  auto fit = writer.put_job({1000, 10, 20, 30, 40, 2, 77}, {"lib_ver=1\n", "./app 1 2", mounts});
  ASSERT_TRUE(fit);
  EXPECT_EQ(fit->mounts_left_out, 0U);
  ASSERT_TRUE(writer.begin_names());
  ASSERT_TRUE(writer.put_name(11, "/tmp/a"));
  ASSERT_TRUE(writer.put_name(22, ""));
  ASSERT_TRUE(writer.end_region());
  ASSERT_TRUE(writer.begin_module(kPosix, 4));
  for (std::int64_t i = 0; i < 5; ++i) {
    PosixRecord record;
    record.set_base({11, i});
    record.at<"POSIX_OPENS">() = 100 + i;
    ASSERT_TRUE(writer.append(bytes_of(record)));
    ASSERT_TRUE(i != 2 || writer.end_stream());
  }
  ASSERT_TRUE(writer.end_region());
  EXPECT_FALSE(std::filesystem::exists(path_));
  ASSERT_TRUE(writer.finish(std::uint64_t{1} << kPosix));
  EXPECT_EQ(files(), 1U);
  EXPECT_EQ(std::filesystem::file_size(path_), writer.file_bytes());

  const auto reader = read();
  ASSERT_NE(reader, nullptr);
  EXPECT_STREQ(reader->header().version.data(), "3.41");
  EXPECT_EQ(reader->header().partial, 2U);
  expect_job(reader->job());
  auto names = reader->names();
  ASSERT_TRUE(names);
  EXPECT_EQ((*names)->name_of(11, "?"), "/tmp/a");
  EXPECT_EQ((*names)->name_of(22, "?"), "");
  EXPECT_EQ(opens_of(*reader), (std::vector<std::int64_t>{100, 101, 102, 103, 104}));
  EXPECT_TRUE(reader->damage().empty());
}

TEST_F(WriterTest, AModuleWithoutDataHasARegionAndAVersion) {
  Writer writer(memory_->spans());
  ASSERT_TRUE(writer.create(target()));
  ASSERT_TRUE(writer.put_job({}, {}));
  ASSERT_TRUE(writer.begin_names());
  ASSERT_TRUE(writer.end_region());
  ASSERT_TRUE(writer.begin_module(9, 2));
  ASSERT_TRUE(writer.end_region());
  ASSERT_TRUE(writer.finish(0));
  const auto reader = read();
  EXPECT_EQ(reader->header().module_versions[9], 2U);
  EXPECT_NE(reader->header().modules[9].offset, 0U);
  EXPECT_EQ(reader->header().modules[9].length, 0U);
}

TEST_F(WriterTest, TheNameMapIsSetEvenWithoutNames) {
  Writer writer(memory_->spans());
  ASSERT_TRUE(writer.create(target()));
  ASSERT_TRUE(writer.put_job({}, {"", "x", {}}));
  ASSERT_TRUE(writer.finish(0));
  const auto reader = read();
  ASSERT_NE(reader, nullptr);
  // Otherwise the job region would reach to the end of the file, through the trailer.
  EXPECT_GT(reader->header().names.offset, NewHeader::kBytes);
  EXPECT_EQ(reader->header().names.length, 0U);
  EXPECT_EQ(reader->job().exe, "x");
}

TEST_F(WriterTest, RegionsComeInOrder) {
  Writer writer(memory_->spans());
  EXPECT_EQ(writer.begin_names().error().code, ErrorCode::kUsage);  // not created yet
  ASSERT_TRUE(writer.create(target()));
  EXPECT_EQ(writer.begin_names().error().code, ErrorCode::kUsage);  // before the job
  EXPECT_EQ(writer.begin_module(1, 4).error().code, ErrorCode::kUsage);
  EXPECT_EQ(writer.finish(0).error().code, ErrorCode::kUsage);
  ASSERT_TRUE(writer.put_job({}, {}));
  EXPECT_EQ(writer.put_job({}, {}).error().code, ErrorCode::kUsage);
  EXPECT_EQ(writer.begin_module(1, 4).error().code, ErrorCode::kUsage);  // before the names
  EXPECT_EQ(writer.append({}).error().code, ErrorCode::kUsage);
  ASSERT_TRUE(writer.begin_names());
  EXPECT_EQ(writer.begin_module(1, 4).error().code, ErrorCode::kUsage);  // inside the names
  ASSERT_TRUE(writer.end_region());
  EXPECT_EQ(writer.put_name(1, "x").error().code, ErrorCode::kUsage);
  ASSERT_TRUE(writer.begin_module(9, 2));
  ASSERT_TRUE(writer.end_region());
  EXPECT_EQ(writer.begin_module(1, 4).error().code, ErrorCode::kUsage);  // descending
  EXPECT_EQ(writer.begin_module(9, 2).error().code, ErrorCode::kUsage);  // twice
  EXPECT_EQ(writer.begin_module(64, 1).error().code, ErrorCode::kUsage);
  EXPECT_EQ(writer.begin_module(10, 0).error().code, ErrorCode::kUsage);  // version 0 means "not there"
  ASSERT_NE(writer.trailer(), nullptr);
  EXPECT_EQ(writer.begin_module(10, 1).error().code, ErrorCode::kUsage);  // behind the trailer
  ASSERT_TRUE(writer.finish(0));
  EXPECT_EQ(writer.finish(0).error().code, ErrorCode::kUsage);
}

TEST_F(WriterTest, ASecondLogDoesNotReplaceTheFirst) {
  for (const bool temporary : {true, false}) {
    WriteTarget target = this->target();
    if (!temporary) target.temporary = nullptr;
    std::filesystem::remove(path_);
    for (const int expected : {0, EEXIST}) {
      Writer writer(memory_->spans());
      Status done = writer.create(target);
      if (done) done = writer.put_job({}, {}) ? Status{} : Error{.code = ErrorCode::kUsage};
      if (done) done = writer.finish(0);
      EXPECT_EQ(done.ok(), expected == 0);
      EXPECT_EQ(done.error().sys_errno, expected);
    }
    EXPECT_NE(read(), nullptr);  // the first is still there
    EXPECT_EQ(files(), 1U);      // and nothing of the second
  }
}

TEST_F(WriterTest, ReplacesWhereAsked) {
  for (const std::int64_t uid : {1, 2}) {
    WriteTarget target = this->target();
    target.replace = true;
    Writer writer(memory_->spans());
    ASSERT_TRUE(writer.create(target));
    ASSERT_TRUE(writer.put_job({.uid = uid}, {}));
    ASSERT_TRUE(writer.finish(0));
    EXPECT_EQ(read()->job().uid, uid);
  }
}

TEST_F(WriterTest, TheModeIsTheTargets) {
  WriteTarget target = this->target();
  target.mode = 0440;
  Writer writer(memory_->spans());
  ASSERT_TRUE(writer.create(target));
  ASSERT_TRUE(writer.put_job({}, {}));
  ASSERT_TRUE(writer.finish(0));
  struct stat status{};
  ASSERT_EQ(::stat(path_.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0440U);
}

TEST_F(WriterTest, AnOpenDescriptorStaysOpen) {
  const int descriptor = ::open(path_.c_str(), O_CREAT | O_WRONLY | O_EXCL, 0600);
  ASSERT_GE(descriptor, 0);
  {
    Writer writer(memory_->spans());
    ASSERT_TRUE(writer.create({.descriptor = descriptor}));
    ASSERT_TRUE(writer.put_job({.uid = 5}, {}));
    ASSERT_TRUE(writer.finish(0));
  }
  EXPECT_EQ(::close(descriptor), 0);
  EXPECT_EQ(read()->job().uid, 5);
}

TEST_F(WriterTest, AbandoningLeavesNothing) {
  {
    Writer writer(memory_->spans());
    ASSERT_TRUE(writer.create(target()));
    ASSERT_TRUE(writer.put_job({}, {}));
    EXPECT_EQ(files(), 1U);
    writer.abandon();
    EXPECT_EQ(files(), 0U);
    EXPECT_EQ(writer.begin_names().error().code, ErrorCode::kUsage);
  }
  {
    Writer writer(memory_->spans());
    ASSERT_TRUE(writer.create(target()));
  }
  EXPECT_EQ(files(), 0U);
}

TEST_F(WriterTest, StreamsAreCutWhereAskedAndJoinAgain) {
  std::vector<std::int64_t> expected;
  Writer writer(memory_->spans());
  ASSERT_TRUE(writer.create(target(), {.stream_bytes = 1000}));  // not a whole number of records
  ASSERT_TRUE(writer.put_job({}, {}));
  ASSERT_TRUE(writer.begin_names());
  ASSERT_TRUE(writer.end_region());
  ASSERT_TRUE(writer.begin_module(kPosix, 4));
  for (std::int64_t i = 0; i < 50; ++i) {
    PosixRecord record;
    record.at<"POSIX_OPENS">() = i;
    ASSERT_TRUE(writer.append(bytes_of(record)));
    expected.push_back(i);
  }
  ASSERT_TRUE(writer.end_region());
  ASSERT_TRUE(writer.finish(0));
  EXPECT_EQ(opens_of(*read()), expected);
}

TEST_F(WriterTest, TakesStreamsMadeElsewhere) {
  PosixRecord record;
  record.at<"POSIX_OPENS">() = 42;
  std::vector<std::byte> packed(4096);
  std::vector<std::byte> encoder_memory(kZlibEncoderBytes);
  auto encoder = make_zlib_encoder(encoder_memory);
  ASSERT_TRUE(encoder);
  ASSERT_TRUE(encoder->begin_stream());
  auto step = encoder->encode(bytes_of(record), packed, true);
  ASSERT_TRUE(step && step->stream_end);
  packed.resize(step->produced);

  Writer writer(memory_->spans());
  // Others can only write into it if its mode lets them; the default is 0400.
  WriteTarget open_to_others = target();
  open_to_others.mode = 0600;
  ASSERT_TRUE(writer.create(open_to_others));
  ASSERT_TRUE(writer.put_job({}, {}));
  ASSERT_TRUE(writer.begin_names());
  ASSERT_TRUE(writer.end_region());
  ASSERT_TRUE(writer.begin_module(kPosix, 4));
  ASSERT_TRUE(writer.append(bytes_of(record)));
  ASSERT_TRUE(writer.append_stream(packed, 704));
  const std::uint64_t gap = writer.offset();
  ASSERT_TRUE(writer.reserve_stream(packed.size(), 704));
  const int other = ::open(temporary_.c_str(), O_WRONLY);  // as another process would
  ASSERT_GE(other, 0);
  ASSERT_EQ(::pwrite(other, packed.data(), packed.size(), static_cast<off_t>(gap)),
            static_cast<ssize_t>(packed.size()));
  ::close(other);
  ASSERT_TRUE(writer.end_region());
  ASSERT_TRUE(writer.finish(0));
  EXPECT_EQ(opens_of(*read()), (std::vector<std::int64_t>{42, 42, 42}));
}

class EveryToolCodec : public WriterTest, public testing::WithParamInterface<Codec> {};

TEST_P(EveryToolCodec, IsReadBack) {
  auto tool = ToolWriter::create(path_, {.codec = GetParam()});
  ASSERT_TRUE(tool);
  Writer& writer = (*tool)->writer();
  ASSERT_TRUE(writer.put_job({.uid = 9}, {"", "exe", {}}));
  ASSERT_TRUE(writer.begin_names());
  ASSERT_TRUE(writer.put_name(1, "/x"));
  ASSERT_TRUE(writer.end_region());
  ASSERT_TRUE(writer.begin_module(kPosix, 4));
  PosixRecord record;
  record.at<"POSIX_OPENS">() = 3;
  ASSERT_TRUE(writer.append(bytes_of(record)));
  ASSERT_TRUE(writer.end_region());
  ASSERT_TRUE(writer.finish(0));
  const auto reader = read();
  EXPECT_EQ(reader->header().codec, GetParam());
  EXPECT_EQ(reader->job().exe, "exe");
  EXPECT_EQ(opens_of(*reader), std::vector<std::int64_t>{3});
}

INSTANTIATE_TEST_SUITE_P(Codecs, EveryToolCodec, testing::Values(Codec::kZlib, Codec::kBzip2, Codec::kNone));

TEST_F(WriterTest, ToolsRefuseEarlyWhatTheyCouldNotKeep) {
  {
    std::filesystem::create_directory(path_);
  }
  EXPECT_EQ(ToolWriter::create(path_).error().sys_errno, EEXIST);
  EXPECT_EQ(ToolWriter::create(path_, {.replace = true}).error().code, ErrorCode::kUsage);
  EXPECT_EQ(ToolWriter::create(folder_ + "/no/such/folder").error().sys_errno, ENOENT);
  EXPECT_EQ(files(), 1U);
}

}  // namespace
}  // namespace trikal::log
