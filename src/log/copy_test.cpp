#include "log/copy.hpp"

#include <gtest/gtest.h>

#include <string>

#include "base/hash.hpp"
#include "log/trailer/segment_threads.hpp"
#include "log/write/temp_log_test.hpp"
#include "modules/dxt_posix/format.hpp"
#include "modules/posix/schema.hpp"
#include "schema/record.hpp"

namespace trikal::log {
namespace {

using PosixRecord = Record<modules::posix::kSchema>;
using modules::dxt::Segment;
constexpr ModuleId kPosix = modules::posix::kSchema.id;
constexpr ModuleId kTrace = modules::dxt_posix::kSchema.id;

std::vector<std::byte> posix_records(std::initializer_list<std::uint64_t> ids) {
  std::vector<std::byte> bytes;
  for (const std::uint64_t id : ids) {
    PosixRecord record;
    record.set_base({id, 0});
    record.at<"POSIX_OPENS">() = static_cast<std::int64_t>(id * 10);
    put(bytes, record);
  }
  return bytes;
}

void put_trace(std::vector<std::byte>& bytes, std::uint64_t id, const std::vector<std::uint64_t>& threads) {
  std::vector<std::byte> head(modules::dxt::kHeadBytes);
  store(head.data(), id);
  store(head.data() + modules::dxt::kWritesAt, static_cast<std::int64_t>(threads.size()) - 1);
  store(head.data() + modules::dxt::kReadsAt, std::int64_t{1});
  bytes.insert(bytes.end(), head.begin(), head.end());
  std::int64_t offset = 0;
  for (const std::uint64_t thread : threads) put(bytes, Segment{offset++, 5, 0.5, 0.75, thread});
}

class Copy : public testing::Test {
 protected:
  Copy() {
    parts_.names = {{1, "/home/u/secret"}, {2, "/scratch/file"}, {3, "<STDOUT>"}};
    parts_.mounts = {{"lustre", "/scratch"}};
    parts_.modules = [](Writer& writer) { return put_module(writer, kPosix, 4, posix_records({1, 2, 1})); };
  }

  std::unique_ptr<Reader> copy(const CopyOptions& options = {}, const ReadOptions& read = {},
                               const ToolWriteOptions& write = {}) {
    write_log(folder_.file("in"), parts_);
    return copy_file(options, read, write);
  }
  std::unique_ptr<Reader> copy_file(const CopyOptions& options = {}, const ReadOptions& read = {},
                                    const ToolWriteOptions& write = {}) {
    in_ = read_log(folder_.file("in"), read);
    auto tool = ToolWriter::create(folder_.file("out"), write);
    EXPECT_TRUE(tool);
    status_ = copy_log(*in_, (*tool)->writer(), options, report_);
    if (!status_) return nullptr;
    return read_log(folder_.file("out"));
  }
  std::string name(Reader& reader, std::uint64_t id) {
    auto names = reader.names();
    EXPECT_TRUE(names);
    return std::string((*names)->name_of(id, "none"));
  }

  TempFolder folder_;
  LogParts parts_;
  std::unique_ptr<Reader> in_;
  CopyReport report_;
  Status status_;
};

TEST_F(Copy, KeepsEverythingByDefault) {
  parts_.partial = std::uint64_t{1} << kPosix;
  parts_.metadata = "lib_ver=3.5.0\n";
  const auto out = copy();
  ASSERT_NE(out, nullptr);
  EXPECT_EQ(out->header().partial, parts_.partial);
  EXPECT_EQ(out->job().metadata, parts_.metadata);
  EXPECT_EQ(out->job().exe, "./app");
  EXPECT_EQ(out->job().mounts, in_->job().mounts);
  EXPECT_EQ(name(*out, 1), "/home/u/secret");
  EXPECT_EQ(record_bytes(*out, kPosix), posix_records({1, 2, 1}));
  EXPECT_EQ(report_.records, 3U);
  EXPECT_TRUE(report_.warnings.empty());
}

TEST_F(Copy, AModuleThatGotNoMemoryAtAllLeavesItsFlag) {
  parts_.partial = 1 << 4 | 1;  // that of the hidden module 0 is what merges leave: it means nothing
  const auto out = copy();
  ASSERT_NE(out, nullptr);
  EXPECT_EQ(out->header().partial, 1U << 4);
}

TEST_F(Copy, OneRecordAlone) {
  const auto out = copy({.record = 1});
  ASSERT_NE(out, nullptr);
  EXPECT_EQ(record_bytes(*out, kPosix), posix_records({1, 1}));
  EXPECT_EQ((*out->names())->entries().size(), 1U);
}

TEST_F(Copy, ARecordThatIsNotThereIsAnError) {
  EXPECT_EQ(copy({.record = 99}), nullptr);
  EXPECT_EQ(status_.error().code, ErrorCode::kMissing);
}

TEST_F(Copy, ObfuscatesNamesByFileSystem) {
  const auto out = copy({.obfuscation = {.names = true, .key = 7}});
  ASSERT_NE(out, nullptr);
  EXPECT_EQ(name(*out, 1), std::to_string(obfuscation_hash("/home/u/secret", 7)));
  EXPECT_EQ(name(*out, 2), "/scratch/" + std::to_string(obfuscation_hash("/scratch/file", 7)));
  EXPECT_EQ(name(*out, 3), "<STDOUT>");
  EXPECT_EQ(out->job().uid, 1000);  // only what was asked for
  EXPECT_EQ(out->job().exe, "./app");
}

TEST_F(Copy, ObfuscatesTheJob) {
  const auto out = copy({.obfuscation = {.job_id = true, .uid = true, .exe = true, .key = 3}});
  ASSERT_NE(out, nullptr);
  const std::int64_t uid = 1000, job_id = 42;
  EXPECT_EQ(out->job().uid, obfuscation_hash(std::as_bytes(std::span{&uid, 1}), 3));
  EXPECT_EQ(out->job().job_id, obfuscation_hash(std::as_bytes(std::span{&job_id, 1}), 3));
  EXPECT_EQ(out->job().exe, std::to_string(obfuscation_hash("./app", 3)));
  EXPECT_EQ(name(*out, 1), "/home/u/secret");
}

TEST_F(Copy, AJobWithoutNumberStaysSo) {
  parts_.numbers.job_id = 0;
  EXPECT_EQ(copy({.obfuscation = {.job_id = true}})->job().job_id, 0);
}

TEST_F(Copy, AnnotatesAndResets) {
  parts_.metadata = "old=1";  // without its line's end
  EXPECT_EQ(copy({.annotate = "a=1\tb=2\t\tc=3"})->job().metadata, "old=1\na=1\nb=2\nc=3\n");
  std::filesystem::remove(folder_.file("in"));
  std::filesystem::remove(folder_.file("out"));
  EXPECT_EQ(copy({.annotate = "a=1", .reset_metadata = true})->job().metadata, "a=1\n");
}

TEST_F(Copy, WhatDoesNotFitIsSaid) {
  parts_.metadata = std::string(1000, 'm') + "\n";
  const auto out = copy({.annotate = "too=" + std::string(50, 'x') + "\tfits=1"});
  EXPECT_EQ(out->job().metadata, parts_.metadata + "fits=1\n");
  ASSERT_EQ(report_.warnings.size(), 1U);
}

TEST_F(Copy, UnknownModulesAreKeptAsTheyAre) {
  const std::vector<std::byte> strange(1234, std::byte{0x5a});
  parts_.modules = [&strange](Writer& writer) {
    const Status done = put_module(writer, kPosix, 9, strange);  // a version nobody knows
    return done ? put_module(writer, 40, 3, strange) : done;     // a module nobody knows
  };
  parts_.partial = (std::uint64_t{1} << 40) | 2;
  const auto out = copy();
  ASSERT_NE(out, nullptr);
  EXPECT_TRUE(report_.warnings.empty());
  EXPECT_EQ(out->header().module_versions[40], 3U);
  EXPECT_EQ(out->header().module_versions[kPosix], 9U);
  EXPECT_EQ(out->header().partial, parts_.partial);
  for (const ModuleId id : {kPosix, ModuleId{40}}) {
    Block block;
    ASSERT_TRUE(out->plain_bytes(id)->next(block));
    EXPECT_EQ(std::vector<std::byte>(block.data(), block.data() + block.size), strange);
  }
}

TEST_F(Copy, UnknownModulesAreLeftOutWhereTheyCannotBeChanged) {
  parts_.modules = [](Writer& writer) {
    const Status done = put_module(writer, kPosix, 4, posix_records({1}));
    return done ? put_module(writer, 40, 3, posix_records({1})) : done;
  };
  parts_.partial = std::uint64_t{1} << 40;
  const auto out = copy({.record = 1});
  EXPECT_EQ(out->header().module_versions[40], 0U);
  EXPECT_EQ(out->header().partial, 0U);
  EXPECT_EQ(report_.warnings.size(), 1U);
}

TEST_F(Copy, TracesAreWrittenForReleasedDarshanAndLoseNoThread) {
  std::vector<std::byte> traces;
  std::vector<std::uint64_t> many(20000);
  for (std::size_t i = 0; i < many.size(); ++i) many[i] = 100 + i / 3;
  put_trace(traces, 1, {7, 7, 8, 0, 9});
  put_trace(traces, 2, {5});
  put_trace(traces, 1, many);
  parts_.modules = [&traces](Writer& writer) { return put_module(writer, kTrace, 2, traces); };
  const auto out = copy();
  ASSERT_NE(out, nullptr);
  EXPECT_EQ(out->header().module_versions[kTrace], 1U);
  EXPECT_EQ(record_bytes(*out, kTrace), traces);

  std::vector<std::byte> kept;  // and through a selection and a second copy
  put_trace(kept, 1, {7, 7, 8, 0, 9});
  put_trace(kept, 1, many);
  std::filesystem::rename(folder_.file("out"), folder_.file("in"));
  const auto again = copy_file({.record = 1}, {}, {.codec = Codec::kBzip2});
  ASSERT_NE(again, nullptr);
  EXPECT_EQ(record_bytes(*again, kTrace), kept);
}

TEST_F(Copy, WithoutThreadsThereIsNoSection) {
  std::vector<std::byte> traces;
  put_trace(traces, 1, {0, 0});
  parts_.modules = [&traces](Writer& writer) { return put_module(writer, kTrace, 2, traces); };
  EXPECT_EQ(copy()->trailer()->find(kSegmentThreadsSection.name), nullptr);
}

TEST_F(Copy, ACutOffTraceSaysWhatItStillHas) {
  std::vector<std::byte> traces;
  put_trace(traces, 1, {0, 0, 0});
  put_trace(traces, 2, std::vector<std::uint64_t>(30000));
  traces.resize(traces.size() - 100 * sizeof(Segment) - 3);
  parts_.modules = [&traces](Writer& writer) { return put_module(writer, kTrace, 2, traces); };
  const auto out = copy({}, {.salvage = true});
  ASSERT_NE(out, nullptr);
  EXPECT_EQ(in_->damage().size(), 1U);  // noted once although it was read twice
  std::vector<std::byte> expected;
  put_trace(expected, 1, {0, 0, 0});
  put_trace(expected, 2, std::vector<std::uint64_t>(30000 - 101));
  store(expected.data() + modules::dxt::kHeadBytes + 3 * sizeof(Segment) + modules::dxt::kWritesAt,
        std::int64_t{30000 - 101});
  store(expected.data() + modules::dxt::kHeadBytes + 3 * sizeof(Segment) + modules::dxt::kReadsAt, std::int64_t{0});
  EXPECT_EQ(record_bytes(*out, kTrace), expected);
  EXPECT_TRUE(out->damage().empty());
}

constexpr Column kSiteColumns[] = {{"file", ColumnType::kU64, kUnitRecordId, "which file"},
                                   {"line", ColumnType::kI64, "", "where"},
                                   {"function", ColumnType::kText, "", "who"}};
constexpr SectionSchema kSites = {"sites", "call sites", kSiteColumns};
constexpr Column kWordColumns[] = {{"word", ColumnType::kText, "", "a text"}};
constexpr SectionSchema kWords = {"words", "texts alone", kWordColumns};

class CopyTrailer : public Copy {
 protected:
  CopyTrailer() {
    parts_.sections = [](Writer& writer) {
      TrailerWriter* trailer = writer.trailer();
      Status done = trailer->begin_section(kSites);
      for (std::uint64_t id = 1; id <= 2; ++id) {
        if (done) done = trailer->put_u64(id);
        if (done) done = trailer->put_i64(-5);
        if (done) done = trailer->put_text("main");
      }
      if (done) done = trailer->end_section();
      if (done) done = trailer->begin_section(kWords);
      if (done) done = trailer->put_text("hello");
      return done ? trailer->end_section() : done;
    };
  }
  static std::vector<std::string> rows(const Trailer& trailer, std::string_view section) {
    std::vector<std::string> all;
    const Section* found = trailer.find(section);
    if (found == nullptr) return all;
    auto rows = trailer.rows(*found);
    EXPECT_TRUE(rows);
    std::span<const Cell> row;
    for (;;) {
      auto more = (*rows)->next(row);
      EXPECT_TRUE(more);
      if (!more || !*more) return all;
      std::string& line = all.emplace_back();
      for (const Cell& cell : row) {
        const bool text = cell.type == ColumnType::kText;
        line += (text ? std::string(cell.text) : std::to_string(cell.i64())) + " ";
      }
    }
  }
};

TEST_F(CopyTrailer, IsCarried) {
  const auto out = copy();
  ASSERT_NE(out->trailer(), nullptr);
  EXPECT_EQ(rows(*out->trailer(), "sites"), (std::vector<std::string>{"1 -5 main ", "2 -5 main "}));
  EXPECT_EQ(rows(*out->trailer(), "words"), std::vector<std::string>{"hello "});
  EXPECT_EQ(out->trailer()->find("sites")->columns, in_->trailer()->find("sites")->columns);
}

TEST_F(CopyTrailer, RowsAboutOtherRecordsAreLeftOut) {
  const auto out = copy({.record = 2});
  EXPECT_EQ(rows(*out->trailer(), "sites"), std::vector<std::string>{"2 -5 main "});
  EXPECT_EQ(rows(*out->trailer(), "words"), std::vector<std::string>{"hello "});
}

TEST_F(CopyTrailer, TextIsLeftOutWhereThingsAreHidden) {
  const auto out = copy({.obfuscation = {.names = true}});
  EXPECT_EQ(rows(*out->trailer(), "sites"), (std::vector<std::string>{"1 -5 ", "2 -5 "}));
  EXPECT_EQ(out->trailer()->find("words"), nullptr);
  EXPECT_EQ(report_.warnings.size(), 2U);
}

}  // namespace
}  // namespace trikal::log
