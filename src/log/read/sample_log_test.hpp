#pragma once
// A small log with records of every shape, for tests that read one. Numbers are chosen so that each value of a
// table can be told from every other.

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "log/read/reader.hpp"
#include "log/write/tool_writer.hpp"
#include "modules/apmpi/schema.hpp"
#include "modules/dxt_posix/schema.hpp"
#include "modules/heatmap/schema.hpp"
#include "modules/list.hpp"
#include "modules/lustre/schema.hpp"
#include "modules/mdhim/schema.hpp"
#include "modules/posix/schema.hpp"
#include "schema/record.hpp"

namespace trikal::log {

inline constexpr std::uint64_t kFirstId = 0xf000000000000001U;  // above 2^63: signed formats show it
inline constexpr std::uint64_t kOddId = 22;                     // its name is no UTF-8 and needs quotes
inline constexpr std::uint64_t kNamelessId = 33;
inline constexpr std::string_view kOddName = "/scratch/caf\xe9, \"b\"";

class SampleLog {
 public:
  // `posix` records, of which the first three are described below; all others are empty and nameless.
  explicit SampleLog(std::size_t posix = 3) {
    std::string pattern = testing::TempDir() + "trikal-sample-XXXXXX";
    folder_ = ::mkdtemp(pattern.data());
    write(posix);
  }
  ~SampleLog() { std::filesystem::remove_all(folder_); }
  SampleLog(const SampleLog&) = delete;
  SampleLog& operator=(const SampleLog&) = delete;

  [[nodiscard]] const std::string& folder() const { return folder_; }
  [[nodiscard]] std::string path() const { return folder_ + "/log.darshan"; }
  [[nodiscard]] std::unique_ptr<Reader> open() const {
    auto source = open_file(path());
    EXPECT_TRUE(source);
    auto reader = Reader::open(std::move(*source));
    EXPECT_TRUE(reader);
    return std::move(*reader);
  }

 private:
  using Raw = std::vector<std::byte>;

  static Raw base(std::size_t bytes, std::uint64_t id, std::int64_t rank) {
    Raw raw(bytes);
    store(raw.data(), id);
    store(raw.data() + 8, rank);
    return raw;
  }
  static void put_text(Raw& raw, std::size_t at, std::string_view text) {
    std::memcpy(&raw[at], text.data(), text.size());
  }

  // OPENS is 1, 2, 3; READ_TIME 0.5, 1, 1.5.
  static Raw posix(std::size_t number) {
    Record<modules::posix::kSchema> record;
    constexpr std::uint64_t kIds[] = {kFirstId, kOddId, kNamelessId};
    const auto n = static_cast<std::int64_t>(number);
    record.set_base({number < 3 ? kIds[number] : 1000 + number, n - 1});
    record.at<"POSIX_OPENS">() = number < 3 ? n + 1 : 0;
    record.at<"POSIX_BYTES_WRITTEN">() = number < 3 ? 100 * n : 0;
    record.set_real<"POSIX_F_READ_TIME">(number < 3 ? 0.5 * static_cast<double>(n + 1) : 0);
    const Bytes bytes = std::as_bytes(std::span{record.words});
    return {bytes.begin(), bytes.end()};
  }

  // One component of two stripes, one of one.
  static Raw lustre() {
    using namespace modules::lustre;
    Raw raw = base(kHeadBytes + 2 * kComponentBytes + 3 * 8, kFirstId, -1);
    store(raw.data() + kNumCompsAt, std::int64_t{2});
    store(raw.data() + kNumStripesAt, std::int64_t{3});
    for (std::size_t i = 0; i < 2; ++i) {
      std::byte* const component = raw.data() + kHeadBytes + i * kComponentBytes;
      store(component + kStripeSizeAt, std::int64_t{1} << (20 + i));
      store(component + kStripeCountAt, static_cast<std::int64_t>(2 - i));
    }
    put_text(raw, kHeadBytes + kPoolNameAt, "fast");
    for (std::size_t i = 0; i < 3; ++i) {
      store(raw.data() + kHeadBytes + 2 * kComponentBytes + 8 * i, static_cast<std::int64_t>(70 + i));
    }
    return raw;
  }

  // Two writes, three reads; segment i begins at i seconds and takes half of one.
  static Raw trace() {
    using namespace modules::dxt;
    Raw raw = base(kHeadBytes + 5 * kSegmentBytes, kFirstId, 4);
    put_text(raw, kHostAt, "node7");
    store(raw.data() + kWritesAt, std::int64_t{2});
    store(raw.data() + kReadsAt, std::int64_t{3});
    for (std::size_t i = 0; i < 5; ++i) {
      const auto number = static_cast<std::int64_t>(i);
      const auto start = static_cast<double>(i);
      const Segment segment{1000 * number, 10 + number, start, start + 0.5, 0xff00000000000000U + i};
      store(raw.data() + kHeadBytes + i * kSegmentBytes, segment);
    }
    return raw;
  }

  static Raw mdhim() {
    Raw raw = base(modules::mdhim::kHeadBytes + 2 * 8, kFirstId, 0);
    store(raw.data() + modules::mdhim::kServersAt, std::int64_t{2});
    store(raw.data() + modules::mdhim::kHeadBytes, std::int64_t{81});
    store(raw.data() + modules::mdhim::kHeadBytes + 8, std::int64_t{82});
    return raw;
  }

  static Raw mpi_calls() {
    using namespace modules::apmpi;
    Raw raw = base(kHeaderBytes, 5, 0);
    store(raw.data() + modules::autoperf::kMagicAt, modules::apmpi::kMagic);
    store(raw.data() + kSyncFlagAt, std::uint32_t{1});
    store(raw.data() + kVarianceTimeAt, 0.25);
    Raw perf = base(kPerfBytes, 6, 3);
    store(perf.data() + kCountersAt, std::uint64_t{91});
    put_text(perf, kNodeNameAt, "node8");
    raw.insert(raw.end(), perf.begin(), perf.end());
    return raw;
  }

  static Raw heatmap() {
    using namespace modules::heatmap;
    Raw raw = base(kHeadBytes + 4 * 8, 7, 2);
    store(raw.data() + kWidthAt, 0.5);
    store(raw.data() + kBinsAt, std::int64_t{2});
    for (std::size_t i = 0; i < 4; ++i) store(raw.data() + kHeadBytes + 8 * i, static_cast<std::int64_t>(60 + i));
    return raw;
  }

  void write(std::size_t posix_records) {
    auto tool = ToolWriter::create(path(), {});
    ASSERT_TRUE(tool);
    Writer& writer = (*tool)->writer();
    const MountText mounts[] = {{"lustre", "/scratch"}};
    const JobText text{.metadata = "lib_ver=3.5.0\nh=a=b\n", .exe = "./app --fast", .mounts = mounts};
    ASSERT_TRUE(writer.put_job({.uid = 1000, .start_sec = 10, .end_sec = 12, .nprocs = 8, .job_id = 77}, text));
    ASSERT_TRUE(writer.begin_names());
    ASSERT_TRUE(writer.put_name(kFirstId, "/scratch/first"));
    ASSERT_TRUE(writer.put_name(kOddId, kOddName));
    ASSERT_TRUE(writer.put_name(7, "heatmap:POSIX"));
    ASSERT_TRUE(writer.end_region());
    Raw records;
    for (std::size_t i = 0; i < posix_records; ++i) {
      const Raw record = posix(i);
      records.insert(records.end(), record.begin(), record.end());
    }
    put_module(writer, "POSIX", records);
    put_module(writer, "LUSTRE", lustre());
    put_module(writer, "DXT_POSIX", trace());
    put_module(writer, "MDHIM", mdhim());
    put_module(writer, "APMPI", mpi_calls());
    put_module(writer, "HEATMAP", heatmap());
    ASSERT_TRUE(writer.finish(0));
  }

  static void put_module(Writer& writer, std::string_view name, const Raw& records) {
    const ModuleSchema& schema = *find_module(name)->schema;
    ASSERT_TRUE(writer.begin_module(schema.id, schema.version));
    ASSERT_TRUE(writer.append(records));
    ASSERT_TRUE(writer.end_region());
  }

  std::string folder_;
};

}  // namespace trikal::log
