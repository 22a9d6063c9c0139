#include "log/merge.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <deque>
#include <set>
#include <string>

#include "log/write/temp_log_test.hpp"
#include "modules/apmpi/schema.hpp"
#include "modules/dxt_posix/format.hpp"
#include "modules/heatmap/format.hpp"
#include "modules/lustre/schema.hpp"
#include "modules/posix/schema.hpp"
#include "schema/record.hpp"

namespace trikal::log {
namespace {

using PosixRecord = Record<modules::posix::kSchema>;
using modules::dxt::Segment;
constexpr ModuleId kPosix = modules::posix::kSchema.id;
constexpr ModuleId kTrace = modules::dxt_posix::kSchema.id;
constexpr ModuleId kHeat = modules::heatmap::kSchema.id;

PosixRecord posix(std::uint64_t id, std::int64_t rank, std::int64_t read, double opened, double read_time = 1) {
  PosixRecord record;
  record.set_base({id, rank});
  record.at<"POSIX_BYTES_READ">() = read;
  record.set_real<"POSIX_F_OPEN_START_TIMESTAMP">(opened);
  record.set_real<"POSIX_F_READ_TIME">(read_time);
  return record;
}

class Merging : public testing::Test {
 protected:
  // A log of its own for each call; starts at `start` seconds.
  LogParts& add(double start, std::int64_t nprocs = 1) {
    LogParts& parts = parts_.emplace_back();
    parts.numbers.start_sec = static_cast<std::int64_t>(start);
    parts.numbers.start_nsec = static_cast<std::int64_t>((start - std::floor(start)) * 1e9);
    parts.numbers.end_sec = parts.numbers.start_sec + 10;
    parts.numbers.nprocs = nprocs;
    return parts;
  }
  LogParts& add_posix(double start, std::int64_t nprocs, std::vector<PosixRecord> records) {
    LogParts& parts = add(start, nprocs);
    parts.modules = [records = std::move(records)](Writer& writer) {
      return put_module(writer, kPosix, 4, std::as_bytes(std::span{records}));
    };
    return parts;
  }

  std::unique_ptr<Reader> merge(const MergeOptions& options = {}) {
    std::vector<MergeInput> inputs;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const std::string path = folder_.file("in" + std::to_string(i));
      std::filesystem::remove(path);
      write_log(path, parts_[i]);
      inputs.push_back({path, [path]() -> Result<std::unique_ptr<Reader>> {
                          auto source = open_file(path);
                          if (!source) return source.error();
                          return Reader::open(std::move(*source));
                        }});
    }
    report_ = {};
    auto tool = ToolWriter::create(folder_.file("out"), {.replace = true});
    EXPECT_TRUE(tool);
    status_ = merge_logs(inputs, (*tool)->writer(), options, report_);
    return status_ ? read_log(folder_.file("out")) : nullptr;
  }

  static std::vector<PosixRecord> posix_of(Reader& reader) {
    const auto bytes = record_bytes(reader, kPosix);
    std::vector<PosixRecord> records(bytes.size() / sizeof(PosixRecord));
    std::memcpy(records.data(), bytes.data(), bytes.size());
    return records;
  }

  TempFolder folder_;
  std::deque<LogParts> parts_;
  MergeReport report_;
  Status status_;
};

TEST_F(Merging, RecordsNamesAndTimesOfAllLogs) {
  add_posix(100, 2, {posix(1, 0, 10, 0.5)}).names = {{1, "/a"}, {9, ""}};
  add_posix(100, 2, {posix(2, 1, 20, 0.25)}).names = {{2, "/b"}, {9, "/late"}};
  parts_[1].numbers.end_sec = 500;
  parts_[1].partial = 2 | 1 << 4 | 1;  // with and without data; bit 0 is what merges leave
  const auto out = merge();
  ASSERT_NE(out, nullptr);
  EXPECT_EQ(out->job().start_sec, 100);
  EXPECT_EQ(out->job().end_sec, 500);
  EXPECT_EQ(out->job().nprocs, 2);
  EXPECT_EQ(out->header().partial, 2U | 1U << 4);  // of the inputs, and of nobody else
  EXPECT_EQ((*out->names())->entries().size(), 3U);
  EXPECT_EQ((*out->names())->name_of(9, "?"), "/late");
  auto records = posix_of(*out);
  ASSERT_EQ(records.size(), 2U);
  EXPECT_EQ(records[0].base().id, 1U);
  EXPECT_EQ(records[1].base().rank, 1);
  EXPECT_EQ(records[1].real<"POSIX_F_OPEN_START_TIMESTAMP">(), 0.25);
  EXPECT_TRUE(report_.warnings.empty());
}

TEST_F(Merging, TheEndTimeCanBeGiven) {
  add(100), add(100);
  EXPECT_EQ(merge({.job_end_time = 777})->job().end_sec, 777);
}

TEST_F(Merging, ConflictingNamesAreAnError) {
  add(100).names = {{1, "/a"}};
  add(100).names = {{1, "/b"}};
  EXPECT_EQ(merge(), nullptr);
  EXPECT_EQ(status_.error().code, ErrorCode::kUsage);
  EXPECT_NE(report_.detail.find("\"/a\""), std::string::npos);
  EXPECT_NE(report_.detail.find("\"/b\""), std::string::npos);
  EXPECT_TRUE(report_.input.ends_with("in1"));
  EXPECT_FALSE(std::filesystem::exists(folder_.file("out")));
}

TEST_F(Merging, AnotherJobIsSaid) {
  add(100), add(100).numbers.job_id = 43;
  ASSERT_NE(merge(), nullptr);
  EXPECT_EQ(report_.warnings.size(), 1U);
}

TEST_F(Merging, LaterLogsMoveToTheEarliestStart) {
  PosixRecord late = posix(1, 1, 0, 0.5);
  late.set_real<"POSIX_F_READ_START_TIMESTAMP">(0);    // never
  late.set_real<"POSIX_F_CLOSE_START_TIMESTAMP">(-1);  // unknown
  add_posix(103.25, 2, {late});
  add_posix(100, 2, {posix(1, 0, 0, 0.5)});
  auto records = posix_of(*merge());
  ASSERT_EQ(records.size(), 2U);
  EXPECT_DOUBLE_EQ(records[0].real<"POSIX_F_OPEN_START_TIMESTAMP">(), 3.75);
  EXPECT_EQ(records[0].real<"POSIX_F_READ_START_TIMESTAMP">(), 0);
  EXPECT_EQ(records[0].real<"POSIX_F_CLOSE_START_TIMESTAMP">(), -1);
  EXPECT_EQ(records[0].real<"POSIX_F_READ_TIME">(), 1);  // a duration
  EXPECT_EQ(records[1].real<"POSIX_F_OPEN_START_TIMESTAMP">(), 0.5);
  records = posix_of(*merge({.rebase = false}));
  EXPECT_EQ(records[0].real<"POSIX_F_OPEN_START_TIMESTAMP">(), 0.5);
}

TEST_F(Merging, ProcessesGetRanksInTheOrderOfStart) {
  add_posix(105, 1, {posix(1, 0, 0, 1)});
  add_posix(101, 1, {posix(2, 0, 0, 1)});
  PosixRecord shared = posix(3, -1, 0, 1);  // an MPI job of one process calls everything shared
  shared.at<"POSIX_FASTEST_RANK">() = 0;
  add_posix(103, 1, {shared});
  add_posix(104, 3, {posix(4, 2, 0, 1)});
  const auto out = merge({.renumber = true});
  ASSERT_NE(out, nullptr);
  EXPECT_EQ(out->job().nprocs, 6);
  auto records = posix_of(*out);
  ASSERT_EQ(records.size(), 4U);
  const std::vector<std::pair<std::uint64_t, std::int64_t>> expected = {{2, 0}, {3, 1}, {4, 4}, {1, 5}};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(records[i].base().id, expected[i].first);
    EXPECT_EQ(records[i].base().rank, expected[i].second);
  }
  EXPECT_EQ(records[1].at<"POSIX_FASTEST_RANK">(), 1);
}

TEST_F(Merging, SharedRecordsAreFolded) {
  for (std::int64_t rank = 0; rank < 3; ++rank) {
    std::vector<PosixRecord> records = {
        posix(7, rank, 100 * (rank + 1), 1.0 + static_cast<double>(rank), 1.0 + static_cast<double>(rank))};
    records.push_back(posix(50 + static_cast<std::uint64_t>(rank), rank, 1, 1));  // its own
    if (rank < 2) records.push_back(posix(8, rank, 1, 1));                        // not on all
    if (rank > 0) records.push_back(posix(9, rank, 5, 1));                        // on all but rank 0
    add_posix(100, 3, records);
  }
  for (const std::uint64_t memory : {std::uint64_t{1} << 20, std::uint64_t{900}}) {  // one pass, and one a record
    const auto out = merge({.fold_shared = true, .memory = memory});
    ASSERT_NE(out, nullptr) << status_.error().what;
    auto records = posix_of(*out);
    ASSERT_EQ(records.size(), 2U + 3U + 2U);
    PosixRecord& all = records[0];
    EXPECT_EQ(all.base().id, 7U);
    EXPECT_EQ(all.base().rank, kSharedRank);
    EXPECT_EQ(all.at<"POSIX_BYTES_READ">(), 600);
    EXPECT_EQ(all.real<"POSIX_F_OPEN_START_TIMESTAMP">(), 1);
    EXPECT_EQ(all.at<"POSIX_FASTEST_RANK">(), 0);
    EXPECT_EQ(all.at<"POSIX_SLOWEST_RANK">(), 2);
    EXPECT_EQ(all.at<"POSIX_SLOWEST_RANK_BYTES">(), 300);
    EXPECT_DOUBLE_EQ(all.real<"POSIX_F_VARIANCE_RANK_TIME">(), 2.0 / 3);
    EXPECT_NEAR(all.real<"POSIX_F_VARIANCE_RANK_BYTES">(), 20000.0 / 3, 1e-6);
    EXPECT_EQ(records[1].base().id, 9U);
    EXPECT_EQ(records[1].base().rank, kSharedRank);
    EXPECT_EQ(records[1].at<"POSIX_BYTES_READ">(), 10);
    EXPECT_EQ(report_.folded, 2U);
    ASSERT_NE(out->trailer()->find("partly_shared"), nullptr);
    EXPECT_EQ(out->trailer()->find("partly_shared")->rows, 1U);
    for (std::size_t i = 2; i < records.size(); ++i) EXPECT_GE(records[i].base().rank, 0);
  }
}

TEST_F(Merging, TwoRecordsOfOneRankAreNotTwoRanks) {
  add_posix(100, 2, {posix(1, 0, 1, 1)});
  add_posix(100, 2, {posix(1, 0, 1, 1)});
  EXPECT_EQ(posix_of(*merge({.fold_shared = true})).size(), 2U);
  // Renumbered they are two processes.
  parts_[0].numbers.nprocs = parts_[1].numbers.nprocs = 1;
  EXPECT_EQ(posix_of(*merge({.fold_shared = true, .renumber = true})).size(), 1U);
}

std::vector<std::byte> heatmap(std::int64_t rank, double width, const std::vector<std::int64_t>& writes) {
  std::vector<std::byte> bytes;
  put(bytes, std::uint64_t{77});
  put(bytes, rank);
  put(bytes, width);
  put(bytes, static_cast<std::int64_t>(writes.size()));
  put(bytes, std::uint64_t{0});
  put(bytes, std::uint64_t{0});
  for (const std::int64_t value : writes) put(bytes, value);
  for (const std::int64_t value : writes) put(bytes, 2 * value);
  return bytes;
}

TEST_F(Merging, HeatmapsGetOneAxis) {
  add(100, 2).modules = [](Writer& writer) { return put_module(writer, kHeat, 1, heatmap(0, 0.1, {10, 20, 30, 41})); };
  add(100.25, 2).modules = [](Writer& writer) { return put_module(writer, kHeat, 1, heatmap(1, 0.2, {100, 7})); };
  const auto out = merge();
  ASSERT_NE(out, nullptr);
  // Bins of 0.2 s to 0.65 s: four. The second begins in the middle of the second.
  std::vector<std::byte> expected = heatmap(0, 0.2, {30, 71, 0, 0});
  const auto second = heatmap(1, 0.2, {0, 75, 30, 2});
  expected.insert(expected.end(), second.begin(), second.end());
  auto bytes = record_bytes(*out, kHeat);
  ASSERT_EQ(bytes.size(), expected.size());
  for (std::size_t at = 0; at < bytes.size(); at += 8) {
    // Where bytes fall on a border one may go to either side.
    EXPECT_NEAR(static_cast<double>(load<std::int64_t>(bytes.data() + at)),
                static_cast<double>(load<std::int64_t>(expected.data() + at)), at % 112 < 48 ? 0 : 1)
        << at;
  }
  std::int64_t total = 0;
  for (std::size_t at = 112 + 48; at < 112 + 80; at += 8) total += load<std::int64_t>(bytes.data() + at);
  EXPECT_EQ(total, 107);  // whatever is rounded, nothing is lost
}

TEST(Rebin, LongRunsGetWiderBins) {
  TimeGrid grid;
  auto record = heatmap(0, 0.1, std::vector<std::int64_t>(200, 5));
  modules::heatmap::survey(record, 0, grid);
  modules::heatmap::survey(record, 1000, grid);
  modules::heatmap::rebin(record, 1000, grid);
  const auto bins = load<std::int64_t>(record.data() + 24);
  EXPECT_EQ(load<double>(record.data() + 16), 6.4);
  EXPECT_EQ(bins, 160);  // 1020 s
  std::int64_t total = 0;
  for (std::int64_t i = 0; i < bins; ++i) total += load<std::int64_t>(record.data() + 48 + 8 * i);
  EXPECT_EQ(total, 1000);
  EXPECT_EQ(load<std::int64_t>(record.data() + 48 + 8 * 155), 0);
}

TEST(Rebin, AWidthThatIsNoneChangesNothing) {
  for (const double width : {0.0, -1.0, std::nan(""), HUGE_VAL}) {
    TimeGrid grid;
    auto record = heatmap(0, width, {1, 2});
    const auto before = record;
    modules::heatmap::survey(record, 5, grid);
    modules::heatmap::rebin(record, 5, grid);
    EXPECT_EQ(record, before);
  }
}

std::vector<std::byte> trace(std::uint64_t id, const std::vector<std::uint64_t>& threads) {
  std::vector<std::byte> bytes(modules::dxt::kHeadBytes);
  store(bytes.data(), id);
  store(bytes.data() + modules::dxt::kWritesAt, static_cast<std::int64_t>(threads.size()));
  for (const std::uint64_t thread : threads) put(bytes, Segment{0, 5, 0.5, 0.75, thread});
  return bytes;
}

TEST_F(Merging, TracesMoveAndKeepTheirThreads) {
  add(100).modules = [](Writer& writer) { return put_module(writer, kTrace, 2, trace(1, {4, 4, 5})); };
  add(102).modules = [](Writer& writer) { return put_module(writer, kTrace, 2, trace(2, {6, 0})); };
  const auto out = merge({.renumber = true});
  ASSERT_NE(out, nullptr);
  const auto bytes = record_bytes(*out, kTrace);
  const auto first = trace(1, {4, 4, 5}), second = trace(2, {6, 0});
  ASSERT_EQ(bytes.size(), first.size() + second.size());
  EXPECT_EQ(std::memcmp(bytes.data(), first.data(), first.size()), 0);
  const std::byte* moved = bytes.data() + first.size();
  EXPECT_EQ(load<std::int64_t>(moved + 8), 1);  // its rank
  const auto segment = load<Segment>(moved + modules::dxt::kHeadBytes);
  EXPECT_EQ(segment.start, 2.5);
  EXPECT_EQ(segment.end, 2.75);
  EXPECT_EQ(segment.thread, 6U);
}

TEST_F(Merging, RecordsThatAreAlikeBecomeOne) {
  for (std::int64_t rank = 0; rank < 2; ++rank) {
    std::vector<std::byte> layout;
    put(layout, BaseRecord{3, rank});
    put(layout, std::int64_t{0}), put(layout, std::int64_t{0});
    put(layout, BaseRecord{4 + static_cast<std::uint64_t>(rank), rank});
    put(layout, std::int64_t{0}), put(layout, std::int64_t{0});
    add(100, 2).modules = [layout](Writer& writer) {
      return put_module(writer, modules::lustre::kSchema.id, 2, layout);
    };
  }
  const auto bytes = record_bytes(*merge({.fold_shared = true}), modules::lustre::kSchema.id);
  ASSERT_EQ(bytes.size(), 3U * 32);
  EXPECT_EQ(load<BaseRecord>(bytes.data()).rank, kSharedRank);
  EXPECT_EQ(load<BaseRecord>(bytes.data() + 32).id, 4U);
  EXPECT_EQ(load<BaseRecord>(bytes.data() + 64).rank, 1);
}

TEST_F(Merging, OneHeaderStandsForAllLogs) {
  using namespace modules::apmpi;
  for (std::int64_t rank = 0; rank < 2; ++rank) {
    std::vector<std::byte> records(kHeaderBytes + kPerfBytes);
    store(records.data() + 16, modules::apmpi::kMagic);
    store(records.data() + kHeaderBytes + 8, rank);
    add(100, 2).modules = [records](Writer& writer) { return put_module(writer, kSchema.id, 1, records); };
  }
  EXPECT_EQ(record_bytes(*merge(), kSchema.id).size(), kHeaderBytes + 2U * kPerfBytes);
}

constexpr Column kColumns[] = {{"rank", ColumnType::kI64, kUnitRank, "who"},
                               {"at", ColumnType::kF64, kUnitTimestamp, "when"}};
constexpr SectionSchema kEvents = {"events", "things that happened", kColumns};

TEST_F(Merging, SectionsAreJoined) {
  for (const double start : {100.0, 101.5}) {
    add(start).sections = [](Writer& writer) {
      TrailerWriter* trailer = writer.trailer();
      Status done = trailer->begin_section(kEvents);
      if (done) done = trailer->put_i64(0);
      if (done) done = trailer->put_f64(0.5);
      return done ? trailer->end_section() : done;
    };
  }
  add(100);  // has none
  const auto out = merge({.renumber = true});
  ASSERT_NE(out, nullptr);
  const Section* events = out->trailer()->find("events");
  ASSERT_NE(events, nullptr);
  auto rows = out->trailer()->rows(*events);
  ASSERT_TRUE(rows);
  std::span<const Cell> row;
  ASSERT_TRUE(*(*rows)->next(row));
  EXPECT_EQ(row[0].i64(), 0);
  EXPECT_EQ(row[1].f64(), 0.5);
  ASSERT_TRUE(*(*rows)->next(row));
  EXPECT_EQ(row[0].i64(), 2);
  EXPECT_EQ(row[1].f64(), 2.0);
  EXPECT_FALSE(*(*rows)->next(row));
}

TEST_F(Merging, ALogThatCannotBeReadIsNamed) {
  add(100), add(101);
  parts_[1].modules = [](Writer& writer) { return put_module(writer, kPosix, 99, std::vector<std::byte>(10)); };
  ASSERT_NE(merge(), nullptr);
  EXPECT_EQ(report_.warnings.size(), 1U);
  std::vector<MergeInput> inputs = {
      {"gone", [] { return Result<std::unique_ptr<Reader>>(Error{.code = ErrorCode::kSystem, .sys_errno = 2}); }}};
  auto tool = ToolWriter::create(folder_.file("out2"));
  MergeReport report;
  EXPECT_EQ(merge_logs(inputs, (*tool)->writer(), {}, report).error().sys_errno, 2);
  EXPECT_EQ(report.input, "gone");
  EXPECT_EQ(merge_logs({}, (*tool)->writer(), {}, report).error().code, ErrorCode::kUsage);
}

}  // namespace
}  // namespace trikal::log
