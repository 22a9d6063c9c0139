// Logs with an index of streams and with threads of segments, through the reader.

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <random>
#include <string>

#include "log/read/reader.hpp"
#include "log/trailer/segment_threads.hpp"
#include "log/write/tool_writer.hpp"
#include "modules/dxt_posix/format.hpp"
#include "modules/posix/schema.hpp"

namespace trikal::log {
namespace {

using modules::dxt::Segment;
constexpr ModuleId kPosix = modules::posix::kSchema.id;
constexpr ModuleId kTrace = modules::dxt_posix::kSchema.id;

class IndexedLog : public testing::Test {
 protected:
  IndexedLog() {
    std::string pattern = testing::TempDir() + "trikal-indexed-XXXXXX";
    folder_ = ::mkdtemp(pattern.data());
  }
  ~IndexedLog() override { std::filesystem::remove_all(folder_); }

  void write(const ToolWriteOptions& options, const std::function<void(Writer&)>& fill) {
    auto tool = ToolWriter::create(folder_ + "/log", options);
    ASSERT_TRUE(tool);
    Writer& writer = (*tool)->writer();
    ASSERT_TRUE(writer.put_job({}, {}));
    ASSERT_TRUE(writer.begin_names());
    ASSERT_TRUE(writer.end_region());
    fill(writer);
    ASSERT_TRUE(writer.finish(0));
  }
  [[nodiscard]] std::unique_ptr<Reader> read(const ReadOptions& options = {}) const {
    auto source = open_file(folder_ + "/log");
    EXPECT_TRUE(source);
    auto reader = Reader::open(std::move(*source), options);
    EXPECT_TRUE(reader);
    return std::move(*reader);
  }

  std::string folder_;
};

std::vector<std::byte> record_bytes(Reader& reader, ModuleId module) {
  std::vector<std::byte> all;
  auto records = reader.records(module);
  EXPECT_TRUE(records);
  Batch batch;
  for (;;) {
    auto more = (*records)->next(batch);
    EXPECT_TRUE(more);
    if (!more || !*more) return all;
    all.insert(all.end(), batch.bytes.begin(), batch.bytes.end());
    all.insert(all.end(), batch.items.begin(), batch.items.end());
  }
}

TEST_F(IndexedLog, ParallelAndSerialReadingAgree) {
  std::mt19937_64 random(3);
  std::vector<std::uint64_t> words(88 * 20000);  // 14 MB of records, hard to compress
  for (auto& word : words) word = random();
  write({.level = 1, .stream_bytes = 300000}, [&](Writer& writer) {
    ASSERT_TRUE(writer.begin_module(kPosix, 4));
    ASSERT_TRUE(writer.append(std::as_bytes(std::span{words})));
    ASSERT_TRUE(writer.end_region());
  });
  const auto parallel = read();
  ASSERT_NE(parallel->trailer(), nullptr);
  StreamIndex index;
  ASSERT_TRUE(index.load(*parallel->trailer()));
  EXPECT_EQ(index.of(kPosix, parallel->header().modules[kPosix]).size(), (words.size() * 8 + 299999) / 300000);
  EXPECT_TRUE(index.of(2, parallel->header().modules[2]).empty());
  Extent elsewhere = parallel->header().modules[kPosix];
  elsewhere.length -= 1;
  EXPECT_TRUE(index.of(kPosix, elsewhere).empty());

  const auto expected = std::as_bytes(std::span{words});
  for (const bool threads : {true, false}) {
    const auto reader = read({.threads = threads});
    const auto bytes = record_bytes(*reader, kPosix);
    ASSERT_EQ(bytes.size(), expected.size());
    EXPECT_EQ(std::memcmp(bytes.data(), expected.data(), bytes.size()), 0);
    EXPECT_TRUE(reader->damage().empty());
  }
}

std::vector<std::byte> trace_head(std::int64_t writes, std::int64_t reads) {
  std::vector<std::byte> head(modules::dxt::kHeadBytes);
  store(head.data() + modules::dxt::kWritesAt, writes);
  store(head.data() + modules::dxt::kReadsAt, reads);
  return head;
}

void put_run(TrailerWriter& trailer, std::initializer_list<std::uint64_t> values) {
  for (const std::uint64_t value : values) ASSERT_TRUE(trailer.put_u64(value));
}

std::vector<std::uint64_t> threads_in(Reader& reader) {
  std::vector<std::uint64_t> threads;
  auto records = reader.records(kTrace);
  EXPECT_TRUE(records);
  Batch batch;
  for (;;) {
    auto more = (*records)->next(batch);
    EXPECT_TRUE(more);
    if (!more || !*more) return threads;
    for (std::size_t at = 0; at < batch.items.size(); at += sizeof(Segment)) {
      threads.push_back(load<Segment>(batch.items.data() + at).thread);
    }
  }
}

TEST_F(IndexedLog, ThreadsOfSegmentsComeBack) {
  constexpr std::size_t kLong = 20000;  // more than one slice
  write({}, [&](Writer& writer) {
    ASSERT_TRUE(writer.begin_module(kTrace, 1));
    std::vector<std::byte> segments(kLong * modules::dxt::kThreadlessBytes);
    ASSERT_TRUE(writer.append(trace_head(2, 1)));
    ASSERT_TRUE(writer.append(Bytes{segments}.first(3 * modules::dxt::kThreadlessBytes)));
    ASSERT_TRUE(writer.append(trace_head(0, 0)));
    ASSERT_TRUE(writer.append(trace_head(kLong, 0)));
    ASSERT_TRUE(writer.append(segments));
    ASSERT_TRUE(writer.end_region());
    TrailerWriter* trailer = writer.trailer();
    ASSERT_NE(trailer, nullptr);
    ASSERT_TRUE(trailer->begin_section(kSegmentThreadsSection));
    put_run(*trailer, {kTrace, 0, 1, 2, 71});
    put_run(*trailer, {kTrace + 1, 0, 0, 1, 99});  // another module's
    put_run(*trailer, {kTrace, 2, 0, 10000, 72});
    put_run(*trailer, {kTrace, 2, 10000, 9999, 73});
    ASSERT_TRUE(trailer->end_section());
  });
  const auto reader = read();
  const auto threads = threads_in(*reader);
  std::vector<std::uint64_t> expected = {0, 71, 71};
  expected.insert(expected.end(), 10000, 72);
  expected.insert(expected.end(), 9999, 73);
  expected.push_back(0);
  EXPECT_EQ(threads, expected);
  EXPECT_TRUE(reader->damage().empty());
}

TEST_F(IndexedLog, RunsThatMakeNoSenseAreHarmless) {
  write({}, [&](Writer& writer) {
    ASSERT_TRUE(writer.begin_module(kTrace, 1));
    const std::vector<std::byte> segments(3 * modules::dxt::kThreadlessBytes);
    ASSERT_TRUE(writer.append(trace_head(2, 1)));
    ASSERT_TRUE(writer.append(segments));
    ASSERT_TRUE(writer.end_region());
    TrailerWriter* trailer = writer.trailer();
    ASSERT_TRUE(trailer->begin_section(kSegmentThreadsSection));
    put_run(*trailer, {kTrace, 0, 5, 1, 1});              // behind the last segment
    put_run(*trailer, {kTrace, 0, 1, ~std::uint64_t{0}, 2});  // without end
    put_run(*trailer, {kTrace, 0, 0, 1, 3});              // backwards
    put_run(*trailer, {kTrace, 900, 0, 1, 4});
    ASSERT_TRUE(trailer->end_section());
  });
  EXPECT_EQ(threads_in(*read()).size(), 3U);
}

}  // namespace
}  // namespace trikal::log
