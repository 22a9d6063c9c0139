#include <gtest/gtest.h>

#include <deque>
#include <set>
#include <string>

#include "analyze/rules/judge.hpp"
#include "analyze/rules/one_file.hpp"

namespace trikal::analyze {
namespace {

Use many_small_writes(std::int64_t ranks) {
  Use use;
  use.ranks = ranks;
  use.write = {.calls = 1000000, .bytes = 64000000, .sequential = 1000000, .end = 64000000, .seconds = 4};
  use.write.sizes[0] = 1000000;
  return use;
}

TEST(Rules, CodesAreStableWordsAndDifferent) {
  std::set<std::string_view> codes;
  for (const Rule* rule : all_rules()) {
    EXPECT_TRUE(codes.insert(rule->code).second) << rule->code;
    EXPECT_EQ(rule->code.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-"), std::string_view::npos)
        << rule->code;
    EXPECT_FALSE(rule->why.empty() || rule->fix.empty() || rule->formula.empty() || rule->summary.empty());
    EXPECT_EQ(find_rule(rule->code), rule);
  }
  EXPECT_EQ(find_rule("no-such-rule"), nullptr);
}

TEST(Rules, SecondsOfSmallWritesAreWhatLargeOnesWouldSave) {
  const auto found = OneFile(many_small_writes(1)).look("small-writes");
  ASSERT_EQ(found.size(), 1U);
  // 64 MB at the assumed GiB/s, and 62 calls as dear as one is now.
  EXPECT_NEAR(found[0].seconds, 4 - 64e6 / 1073741824.0 - 62 * 4e-6, 1e-6);
  EXPECT_EQ(found[0].severity, Severity::kHigh);
  EXPECT_NE(found[0].title.find("1,000,000 writes of 64 B"), std::string::npos) << found[0].title;
}

// A file opened once is not advised to be opened less.
TEST(Rules, AdviceAboutMetadataFitsTheCalls) {
  Use use;
  use.opens = 1, use.meta_seconds = 2;
  const auto slow_open = OneFile(use).look("metadata-heavy");
  ASSERT_EQ(slow_open.size(), 1U);
  EXPECT_NE(slow_open[0].fix.find("each is slow"), std::string::npos) << slow_open[0].fix;
  use.opens = 1000;
  const auto reopened = OneFile(use).look("metadata-heavy");
  ASSERT_EQ(reopened.size(), 1U);
  EXPECT_NE(reopened[0].fix.find("Open each file once"), std::string::npos) << reopened[0].fix;
}

// Records count syncs among the writes; larger writes would not make these quicker.
TEST(Rules, SyncsAreNotTheCostOfSmallWrites) {
  Use use = many_small_writes(1);
  use.syncs = 10, use.write.seconds += 5;
  OneFile one(use);
  one.run.extra_of(one.run.files[0]).sync_seconds = 5;
  auto found = one.look("small-writes");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NEAR(found[0].seconds, 4 - 64e6 / 1073741824.0 - 62 * 4e-6, 1e-6);
  // Darshan does not tell what syncs took: no write took longer than the longest.
  use.write.longest_seconds = 6e-6;
  found = OneFile(use).look("small-writes");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NEAR(found[0].seconds, 6 - 64e6 / 1073741824.0 - 62 * 6e-6, 1e-6);
}

TEST(Rules, RanksLoseSideBySide) {
  const auto found = OneFile(many_small_writes(4), 4).look("small-writes");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NEAR(found[0].seconds, (4 - 64e6 / 1073741824.0 - 62 * 4e-6) / 4, 1e-6);
}

TEST(Baseline, EachDirectionHasItsOwnRate) {
  OneFile one(many_small_writes(1));
  EXPECT_EQ(make_baseline(one.run).read.basis, Rate::Basis::kAssumed);
  Use large;
  large.ranks = 1;
  large.read = {.calls = 100, .bytes = 100 << 20, .seconds = 0.05};
  one.add_file(large);
  Baseline baseline = make_baseline(one.run);
  EXPECT_EQ(baseline.read.basis, Rate::Basis::kMeasured);
  EXPECT_DOUBLE_EQ(baseline.read.bytes_per_second, (100 << 20) / 0.05);
  // Nothing large was written: what reading reached is the next best guess.
  EXPECT_EQ(baseline.write.basis, Rate::Basis::kOtherDirection);
  EXPECT_DOUBLE_EQ(baseline.write.bytes_per_second, (100 << 20) / 0.05);

  Use written = large;
  written.read = {}, written.write = {.calls = 100, .bytes = 100 << 20, .seconds = 1};
  one.add_file(written);
  baseline = make_baseline(one.run);
  EXPECT_EQ(baseline.write.basis, Rate::Basis::kMeasured);
  EXPECT_DOUBLE_EQ(baseline.write.bytes_per_second, 100 << 20);
  EXPECT_DOUBLE_EQ(baseline.read.bytes_per_second, (100 << 20) / 0.05);
  EXPECT_DOUBLE_EQ(baseline.seconds_for(large), 0.05);
}

TEST(Baseline, MeasuresOnlyWhatCounts) {
  OneFile one(many_small_writes(1));
  Use large;
  large.write = {.calls = 100, .bytes = 100 << 20, .seconds = 1};
  one.add_file(large);
  EXPECT_EQ(make_baseline(one.run).write.basis, Rate::Basis::kMeasured);
  const auto first_only = [](const FileUse& file) { return file.id == 1; };
  EXPECT_EQ(make_baseline(one.run, first_only).write.basis, Rate::Basis::kAssumed);
}

TEST(Rules, LimitsHaveNamesForPolicies) {
  for (const Rule* rule : all_rules()) {
    std::set<std::string_view> names = {"mute", "least-seconds", "least-share"};
    for (const Limit& limit : rule->limits) {
      EXPECT_TRUE(names.insert(limit.name).second) << rule->code << " " << limit.name;
      EXPECT_FALSE(limit.meaning.empty()) << rule->code;
      EXPECT_GT(limit.value, 0) << rule->code;
    }
  }
}

TEST(Rules, OneAccessThatHangsIsToldApart) {
  Use use;
  use.ranks = 1;
  use.write = {.calls = 1001, .bytes = 1001LL << 20, .sequential = 1001, .longest_seconds = 2, .seconds = 3};
  use.write.longest_bytes = 1 << 20;
  auto found = OneFile(use).look("stalled-access");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_GT(found[0].seconds, 1.9);
  use.write.longest_seconds = 0.05;
  EXPECT_TRUE(OneFile(use).look("stalled-access").empty());
}

// A stall would have come with writes of any size: it is no price of theirs.
TEST(Rules, AStallIsNotTheSmallWrites) {
  Use use = many_small_writes(1);
  const auto without = OneFile(use).look("small-writes");
  use.write.seconds += 3, use.write.longest_seconds = 3;
  const OneFile stalled(use);
  const auto with = stalled.look("small-writes");
  ASSERT_EQ(without.size(), 1U);
  ASSERT_EQ(with.size(), 1U);
  EXPECT_NEAR(with[0].seconds, without[0].seconds, 0.01);
  EXPECT_EQ(stalled.look("stalled-access").size(), 1U);
}

// Each transaction writes the same pages, and syncs the directory of its journal.
TEST(Rules, ADatabaseThatCommitsOftenHasOneFinding) {
  Use writes;
  writes.ranks = 1, writes.opens = 1, writes.syncs = 200;
  writes.write = {.calls = 2000, .bytes = 8192000, .sequential = 1000, .end = 8192, .seconds = 2};
  Use syncs;
  syncs.ranks = 1, syncs.opens = 200, syncs.syncs = 200;
  syncs.write.seconds = 1;
  OneFile run(writes);
  run.run.files[0].name = "/data/x.db";
  run.add_file(writes), run.run.files.back().name = "/data/x.db-journal";
  run.add_file(syncs), run.run.files.back().name = "/data";
  EXPECT_EQ(run.look("no-transactions").size(), 1U);
  EXPECT_TRUE(run.look("rewrite").empty());
  EXPECT_TRUE(run.look("sync-per-write").empty());
  run.run.files[1].name = "/data/other", run.run.files[2].name = "/elsewhere";
  EXPECT_EQ(run.look("rewrite").size(), 1U);
  EXPECT_EQ(run.look("sync-per-write").size(), 1U);
}

// rsync opens directories to look names up in them: that is what they are opened for.
TEST(Rules, ADirectoryIsNotOpenedForNothing) {
  Use opens;
  opens.ranks = 1, opens.opens = 500, opens.meta_seconds = 1;
  OneFile run(opens);
  EXPECT_EQ(run.look("idle-opens").size(), 1U);
  run.run.files[0].name = "/data";
  run.add_file(Use{});
  EXPECT_TRUE(run.look("idle-opens").empty());
}

// A tool that copies or packs files opens those of programs as well.
TEST(Rules, OnlyWhoRunsCodeHasAnImportStorm) {
  Use opened;
  opened.ranks = 1, opened.opens = 1, opened.meta_seconds = 0.01;
  opened.read = {.calls = 1, .bytes = 100, .end = 100, .seconds = 0.001};
  OneFile run(opened);
  std::deque<std::string> names;
  for (int i = 0; i < 600; ++i) {
    run.add_file(opened);
    run.run.files.back().name = names.emplace_back("/data/" + std::to_string(i) + (i % 2 == 0 ? ".py" : ".txt"));
  }
  run.job.exe = "/usr/bin/tar cf x.tar data";
  EXPECT_TRUE(run.look("import-storm").empty());
  for (const std::string_view exe : {"/usr/bin/python3.11 run.py", "python run.py", "./run.py"}) {
    run.job.exe = exe;
    EXPECT_EQ(run.look("import-storm").size(), 1U) << exe;
  }
  run.job.exe = "/opt/solver";  // has an interpreter within, and reads hardly anything else
  EXPECT_TRUE(run.look("import-storm").empty());
  for (FileUse& file : run.run.files) {
    if (file.name.ends_with(".txt")) file.name = "/data/module.py";
  }
  EXPECT_EQ(run.look("import-storm").size(), 1U);
}

TEST(Rules, ImportingALargeLibraryFromALocalDiskIsNoStorm) {
  Use opened;
  opened.ranks = 1, opened.opens = 1, opened.meta_seconds = 1e-5;
  OneFile run(opened);
  std::deque<std::string> names;
  for (int i = 0; i < 600; ++i)
    run.add_file(opened), run.run.files.back().name = names.emplace_back("/lib/" + std::to_string(i) + ".py");
  run.job.exe = "python run.py";
  EXPECT_TRUE(run.look("import-storm").empty());
  run.run.seconds = 0.1;
  EXPECT_EQ(run.look("import-storm").size(), 1U);
}

TEST(Rules, WhatAnOpenAsksIsNoStatStorm) {
  Use use;
  use.ranks = 1, use.opens = 1000, use.stats = 1000, use.meta_seconds = 2;
  EXPECT_TRUE(OneFile(use).look("stat-storm").empty());
  use.stats = 3000;
  const auto found = OneFile(use).look("stat-storm");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NEAR(found[0].seconds, 2 * 1999.0 / 5000, 1e-9);
}

TEST(Rules, AStateSavedWholeCostsItsOpensToo) {
  Use use;
  use.ranks = 1, use.opens = 100, use.meta_seconds = 1;
  use.write = {.calls = 100, .bytes = 100 << 20, .sequential = 1, .end = 1 << 20, .seconds = 0.5};
  EXPECT_NEAR(OneFile(use).look("rewrite").at(0).seconds, 1.5 * 0.99, 1e-9);
  use.opens = 1;
  EXPECT_NEAR(OneFile(use).look("rewrite").at(0).seconds, 0.5 * 0.99, 1e-9);
}

TEST(Rules, NothingIsFoundInAnEmptyRun) { EXPECT_TRUE(find_all(OneFile(Use{}).run).empty()); }

TEST(Rules, LargeWritesAreNotBlamed) {
  Use use;
  use.ranks = 1;
  use.write = {.calls = 4000, .bytes = 4000LL << 20, .sequential = 4000, .end = 4000LL << 20, .seconds = 4};
  use.write.sizes[5] = 4000;
  EXPECT_TRUE(find_all(OneFile(use).run).empty());
}

TEST(Rules, NobodySavesMoreThanTheTimeInIo) {
  Use use = many_small_writes(1);
  OneFile one(use);
  one.run.slowest_seconds = 1;
  const auto found = one.look("small-writes");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_DOUBLE_EQ(found[0].seconds, 1);
}

TEST(Judge, Words) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1234567), "1,234,567");
  EXPECT_EQ(grouped(-123456), "-123,456");
  EXPECT_EQ(sized(0), "0 B");
  EXPECT_EQ(sized(1536), "1.50 KiB");
  EXPECT_EQ(sized(20.0 * 1024 * 1024), "20.0 MiB");
  EXPECT_EQ(timed(0.0000012), "1.2 us");
  EXPECT_EQ(timed(0.5), "500.0 ms");
  EXPECT_EQ(timed(12.345), "12.35 s");
}

}  // namespace
}  // namespace trikal::analyze
