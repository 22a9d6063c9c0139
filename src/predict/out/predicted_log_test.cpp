#include "predict/out/predicted_log.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "analyze/compare/compare.hpp"
#include "base/hash.hpp"
#include "log/write/tool_writer.hpp"
#include "modules/posix/schema.hpp"
#include "predict/out/said.hpp"

namespace trikal::predict {
namespace {

using analyze::CompareOptions;
using analyze::CompareResult;
using analyze::Operation;
using analyze::Prediction;
using analyze::Side;
using PosixRecord = Record<modules::posix::kSchema>;

// What differs, as words.
class Words final : public analyze::DifferenceSink {
 public:
  void job_change(const analyze::Change& change) override { words.push_back("job " + std::string(change.name)); }
  void begin_module(const analyze::ModulePair&) override {}
  void begin_record(const analyze::RecordPair&) override {}
  void change(const analyze::Change& change) override { words.emplace_back(change.name); }
  void end_record() override {}
  void only(Side side, const analyze::RecordPair& record, Bytes) override {
    words.push_back(side == Side::kA ? "only a " + std::string(record.name_a) : "only b " + std::string(record.name_b));
  }
  void end_module(const analyze::CompareCounts&) override {}
  void skipped(const analyze::ModulePair&, ModuleId) override {}

  std::vector<std::string> words;
};

class PredictedLogTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("predicted-log-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  [[nodiscard]] std::string path(const char* name) const { return (folder_ / name).string(); }

  // A rank that opens one file and writes 8 bytes so often.
  static Prediction rank_of(int rank, int ranks, double writes, const std::string& name = "/there/out") {
    Prediction one;
    one.program = "app.c", one.rank = rank, one.ranks = ranks;
    one.files = {{.name = name}};
    one.sites = {{.source = "app.c", .line = 3, .function = "main"}};
    analyze::PredictedUse open, write;
    open.add(1, 0, analyze::Certainty::kExact);
    write.add(writes, 8, analyze::Certainty::kExact);
    one.accesses = {{0, 0, Operation::kOpen, open}, {0, 0, Operation::kWrite, write}};
    return one;
  }

  struct Measured {
    std::string name;
    std::int64_t rank, opens, writes;
  };
  void write_run(const char* name, std::int64_t nprocs, const std::vector<Measured>& records) const {
    auto tool = log::ToolWriter::create(path(name), {});
    ASSERT_TRUE(tool);
    log::Writer& writer = (*tool)->writer();
    ASSERT_TRUE(writer.put_job({.uid = 7, .start_sec = 5, .end_sec = 9, .nprocs = nprocs}, {"a=b\n", "./app", {}}));
    Status done = writer.begin_names();
    for (const Measured& one : records) done = writer.put_name(record_id(one.name), one.name);
    done = writer.end_region();
    done = writer.begin_module(modules::posix::kSchema.id, modules::posix::kSchema.version);
    for (const Measured& one : records) {
      PosixRecord record;
      record.set_base({record_id(one.name), one.rank});
      record.at<"POSIX_OPENS">() = one.opens;
      record.at<"POSIX_WRITES">() = record.at<"POSIX_SIZE_WRITE_#">(0) = one.writes;
      record.at<"POSIX_BYTES_WRITTEN">() = 8 * one.writes;
      record.at<"POSIX_ACCESS#_ACCESS">() = 8, record.at<"POSIX_ACCESS#_COUNT">() = one.writes;
      record.at<"POSIX_MODE">() = 0644, record.at<"POSIX_FILE_ALIGNMENT">() = 4096;
      record.at<"POSIX_MMAPS">() = -1;
      record.set_real<"POSIX_F_WRITE_TIME">(3);
      done = writer.append(std::as_bytes(std::span(record.words)));
    }
    done = writer.end_region();
    ASSERT_TRUE(writer.finish(0));
  }

  [[nodiscard]] Result<std::unique_ptr<log::Reader>> open(const char* name) const {
    auto source = log::open_file(path(name));
    EXPECT_TRUE(source);
    auto reader = log::Reader::open(std::move(*source));
    EXPECT_TRUE(reader);
    return reader;
  }

  CompareResult compare(const char* a, const char* b, bool everything = false) {
    auto in_a = open(a), in_b = open(b);
    scope_ = analyze::prediction_among(**in_a, **in_b);
    CompareOptions options;
    options.by = analyze::AlignBy::kName;
    if (scope_ && !everything) options.prediction = &*scope_;
    words_ = {};
    return analyze::compare(**in_a, **in_b, options, words_);
  }

  std::filesystem::path folder_;
  std::optional<analyze::PredictionScope> scope_;
  Words words_;
};

TEST_F(PredictedLogTest, SaysWhatItSpeaksOf) {
  const Prediction one[] = {rank_of(0, 1, 10)};
  ASSERT_TRUE(write_predicted_log(path("p"), one));
  write_run("m", 1, {{"/elsewhere/out", 0, 1, 10}});
  const CompareResult right = compare("p", "m");
  ASSERT_TRUE(right.status && scope_);
  EXPECT_EQ(scope_->predicted, Side::kA);
  EXPECT_EQ(words_.words, std::vector<std::string>{});
  EXPECT_FALSE(right.differs());
  EXPECT_EQ(right.prediction->files, 1U);
  EXPECT_EQ(right.prediction->values, 6U) << "opens, writes, bytes, a class of sizes, a common size and its count";
  std::size_t said = 0;
  for (const Said& row : kSaidPosix.said)
    for (const Counter& counter : modules::posix::kCounters)
      if (counter.name == row.counter) said += counter.width();
  EXPECT_EQ(right.prediction->counters_of, slots_in(modules::posix::kCounters));
  EXPECT_EQ(right.prediction->counters, slots_in(modules::posix::kCounters) - said);
  EXPECT_TRUE(compare("p", "m", true).differs()) << "with everything, times and modes differ";
  EXPECT_FALSE(compare("m", "p").differs()) << "whichever side it is";
  EXPECT_EQ(scope_->predicted, Side::kB);
}

TEST_F(PredictedLogTest, WhatTheRunDidElseIsToldByCounter) {
  const Prediction one[] = {rank_of(0, 1, 10)};
  ASSERT_TRUE(write_predicted_log(path("p"), one));
  write_run("m", 2, {{"/x/out", 0, 1, 12}, {"/x/more", 0, 1, 1}, {"/x/asked", 0, 0, 0}});
  const CompareResult result = compare("p", "m");
  EXPECT_TRUE(result.differs());
  EXPECT_EQ(words_.words,
            (std::vector<std::string>{"job nprocs", "POSIX_WRITES", "POSIX_BYTES_WRITTEN", "POSIX_SIZE_WRITE_0_100",
                                      "POSIX_ACCESS1_COUNT", "only b /x/more", "only b /x/asked"}));
  EXPECT_EQ(result.counts.changes, 4U);
  EXPECT_EQ(result.prediction->files_only_b, 2U);
}

TEST_F(PredictedLogTest, RanksOfAFileAreTakenTogether) {
  const Prediction all[] = {rank_of(0, 2, 10), rank_of(1, 2, 5)};
  ASSERT_TRUE(write_predicted_log(path("p"), all));
  write_run("shared", 2, {{"/x/out", -1, 2, 15}});
  EXPECT_FALSE(compare("p", "shared").differs());
  write_run("each", 2, {{"/x/out", 0, 1, 9}, {"/x/out", 1, 1, 6}});
  EXPECT_FALSE(compare("p", "each").differs()) << "which of them did it is not compared";
  write_run("less", 2, {{"/x/out", 0, 1, 10}});
  EXPECT_TRUE(compare("p", "less").differs());
}

TEST_F(PredictedLogTest, RanksThatWereNotLookedAtAreLeftOut) {
  const Prediction some[] = {rank_of(0, 9, 10, "/x/a"), rank_of(8, 9, 10, "/x/b")};
  ASSERT_TRUE(write_predicted_log(path("p"), some));
  write_run("m", 9, {{"/x/a", 0, 1, 10}, {"/x/b", 8, 1, 10}, {"/x/c", 4, 1, 10}, {"/x/all", -1, 9, 90}});
  const CompareResult right = compare("p", "m");
  EXPECT_FALSE(right.differs());
  EXPECT_EQ(right.prediction->ranks, 2U);
  EXPECT_EQ(right.prediction->files, 2U);
  write_run("shared", 9, {{"/x/a", -1, 9, 90}, {"/x/b", -1, 9, 90}});
  const CompareResult nothing = compare("p", "shared");
  EXPECT_TRUE(nothing.prediction->nothing_compared() && nothing.differs()) << "nobody has seen that they agree";
}

TEST_F(PredictedLogTest, TwoOfAKindAreComparedAsEver) {
  const Prediction one[] = {rank_of(0, 1, 10)};
  ASSERT_TRUE(write_predicted_log(path("p"), one) && write_predicted_log(path("q"), one));
  write_run("m", 1, {{"/there/out", 0, 1, 10}});
  (void)compare("p", "q");
  EXPECT_FALSE(scope_);
  EXPECT_FALSE(compare("m", "m").differs());
  EXPECT_FALSE(scope_);
}

TEST_F(PredictedLogTest, StandardStreamsAreOpenedOnce) {
  Uses uses;
  uses.standard = true;
  EXPECT_EQ(kSaidStdio.said.front().value(Seen(uses), 0), 1);
  uses.standard = false;
  EXPECT_EQ(kSaidStdio.said.front().value(Seen(uses), 0), 0);
}

}  // namespace
}  // namespace trikal::predict
