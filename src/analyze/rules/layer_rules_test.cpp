// Rules about what stands between a program and its files: MPI-IO, databases, streams that are flushed, other programs.

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "analyze/rules/advice.hpp"
#include "analyze/rules/judge.hpp"
#include "analyze/rules/one_file.hpp"

namespace trikal::analyze {
namespace {

constexpr std::int64_t kMiB = 1024 * 1024;

Use posix_writes(std::int64_t ranks, std::int64_t calls, std::int64_t bytes, double slowest) {
  Use use;
  use.ranks = ranks, use.slowest_rank = ranks > 1 ? 1 : 0, use.slowest_seconds = slowest;
  use.write = {.calls = calls,
               .bytes = bytes,
               .sequential = calls,
               .end = bytes,
               .seconds = slowest * static_cast<double>(ranks)};
  use.write.sizes[bytes / calls < 100 ? 0 : 4] = calls;
  return use;
}
Use collective_writes(std::int64_t ranks, std::int64_t calls, std::int64_t bytes, double slowest) {
  Use use = posix_writes(ranks, calls, bytes, slowest);
  use.write.collective = calls;
  return use;
}

TEST(UnaggregatedCollectives, AreCollectiveInNameOnly) {
  OneFile one(posix_writes(2, 600000, 600000 * 64, 3), 2);
  one.add(Layer::kMpiio, collective_writes(2, 6, 600000 * 64, 4));
  one.run.slowest_seconds = 4;
  const auto found = one.look("unaggregated-collectives");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NEAR(found[0].seconds, 4, 0.1);
  EXPECT_NE(found[0].title.find("6 collective calls became 600,000"), std::string::npos) << found[0].title;
  // What collective buffering makes of them is large.
  OneFile joined(posix_writes(2, 2000, 2000 * 4 * kMiB, 3), 2);
  joined.add(Layer::kMpiio, collective_writes(2, 6, 2000 * 4 * kMiB, 4));
  EXPECT_TRUE(joined.look("unaggregated-collectives").empty());
  OneFile independent(posix_writes(2, 600000, 600000 * 64, 3), 2);
  independent.add(Layer::kMpiio, posix_writes(2, 600000, 600000 * 64, 4));
  EXPECT_TRUE(independent.look("unaggregated-collectives").empty());
}

TEST(TimeAbovePosix, IsOfTheSlowestRank) {
  OneFile one(posix_writes(65536, 40960, 40960 * kMiB, 0.001), 65536);
  one.run.seconds = 800;
  one.add(Layer::kMpiio, collective_writes(65536, 65536, 40960 * kMiB, 753));
  one.run.slowest_seconds = 753;
  const auto found = one.look("time-above-posix");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NEAR(found[0].seconds, 753 / 2.0, 0.1);
  EXPECT_NEAR(found[0].most, 753, 0.1);
  EXPECT_EQ(found[0].severity, Severity::kHigh);
  EXPECT_NE(found[0].fix.find("cb_nodes"), std::string::npos) << found[0].fix;
  one.lay_out({{.stripe_size = kMiB, .stripes = 1}});
  const auto stripe = one.look("single-stripe");
  ASSERT_EQ(stripe.size(), 1U);
  EXPECT_GT(stripe[0].seconds, 300);
}

TEST(TimeAbovePosix, LeavesAloneWhatIsInPosix) {
  OneFile one(posix_writes(8, 8000, 8000 * kMiB, 5), 8);
  one.add(Layer::kMpiio, collective_writes(8, 8000, 8000 * kMiB, 5.2));
  EXPECT_TRUE(one.look("time-above-posix").empty());
}

TEST(TimeAbovePosix, AsksForLocksOnNetworkFileSystems) {
  OneFile one(posix_writes(8, 8000, 8000 * kMiB, 0.1), 8);
  one.job.mounts = {{"/data", "nfs4"}, {"/", "ext4"}};
  one.add(Layer::kMpiio, posix_writes(8, 8000, 8000 * kMiB, 5));
  one.run.slowest_seconds = 5;
  const auto found = one.look("time-above-posix");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NE(found[0].fix.find("locks the file"), std::string::npos) << found[0].fix;
}

TEST(SmallReads, AreNoFaultOfThePatternWhereMpiioMadeThem) {
  Use posix = posix_writes(2, 5000, 5000 * 64, 1);
  posix.read = {.calls = 5000, .bytes = 5000 * 512, .sequential = 5000, .seconds = 2};
  posix.read.sizes[1] = 5000;
  EXPECT_EQ(OneFile(posix, 2).look("small-reads").size(), 1U);
  OneFile one(posix, 2);
  one.add(Layer::kMpiio, posix_writes(2, 5000, 5000 * 64, 1));
  EXPECT_TRUE(one.look("small-reads").empty());
  ASSERT_EQ(one.look("data-sieving").size(), 1U);
}

TEST(SmallReads, ThatJumpAreAMatterOfOrder) {
  Use use;
  use.ranks = 1;
  use.read = {.calls = 100000, .bytes = 6400000, .sequential = 50000, .end = 6400000, .seconds = 4};
  use.read.sizes[0] = 100000;
  OneFile one(use);
  EXPECT_TRUE(one.look("small-reads").empty());
  ASSERT_EQ(one.look("random-reads").size(), 1U);
  EXPECT_NEAR(one.look("random-reads")[0].seconds, 4, 0.05);
  use.read.sequential = 75000;  // half of them at random
  OneFile half(use);
  ASSERT_EQ(half.look("small-reads").size(), 1U);
  const double both = half.look("small-reads")[0].seconds + half.look("random-reads")[0].seconds;
  EXPECT_NEAR(both, 4, 0.05);
  EXPECT_FALSE(half.look("small-reads")[0].overlaps.empty());
}

TEST(FlushedLines, AreToldFromRecordsByTheirLengths) {
  Use use = posix_writes(1, 400000, 400000 * 27, 2);
  use.write.consecutive = 400000;
  use.common_sizes = {26, 27, 28, 25}, use.common_counts = {200000, 100000, 50000, 50000};
  const OneFile text(use);
  ASSERT_EQ(text.look("flushed-lines").size(), 1U);
  EXPECT_TRUE(text.look("small-writes").empty());
  use.common_sizes = {27}, use.common_counts = {400000};
  OneFile records(use);
  EXPECT_TRUE(records.look("flushed-lines").empty());
  EXPECT_EQ(records.look("small-writes").size(), 1U);
  records.run.sites.push_back(
      {.file = 1, .interface = "POSIX", .operation = "write", .object = "/usr/lib/libgfortran.so.5"});
  EXPECT_EQ(records.look("flushed-lines").size(), 1U);
}

TEST(NoTransactions, AreSeenByTheJournal) {
  Use database = posix_writes(1, 2000, 2000 * 4096, 1);
  database.syncs = 1000;
  OneFile one(database);
  Use journal = posix_writes(1, 3000, 3000 * 512, 2);
  journal.opens = 1000, journal.syncs = 1000;
  one.add_file(journal);
  EXPECT_TRUE(one.look("no-transactions").empty());
  one.run.files[1].name = "/data/out.dat-journal";
  one.run.slowest_seconds = 3;
  const auto found = one.look("no-transactions");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NEAR(found[0].seconds, 3, 0.01);
  EXPECT_NE(found[0].title.find("1,000 transactions"), std::string::npos) << found[0].title;
}

TEST(ShortProcesses, CostWhatStartingThemTakes) {
  OneFile one(Use{});
  one.run.seconds = 2;
  for (int i = 0; i < 1000; ++i)
    one.run.processes.push_back(
        {.pid = 5000 + i, .parent = i, .start = 0.001 * i, .end = 0.001 * i + 0.004, .exe = "/bin/cat"});
  const auto found = one.look("short-processes");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NEAR(found[0].seconds, 1, 1e-9);
  EXPECT_LT(found[0].least, 1);
  EXPECT_NE(found[0].evidence[0].find("1,000 cat"), std::string::npos);
  one.run.processes.resize(50);
  EXPECT_TRUE(one.look("short-processes").empty());
}

TEST(ShortProcesses, OfOneLoopCostTheTimeBetweenThem) {
  OneFile one(Use{});
  one.run.seconds = 4;
  for (int i = 0; i < 1000; ++i)
    one.run.processes.push_back({.parent = 1, .start = 0.003 * i, .end = 0.003 * i + 0.002, .exe = "/bin/cat"});
  ASSERT_EQ(one.look("short-processes").size(), 1U);
  EXPECT_NEAR(one.look("short-processes")[0].seconds, 1000 * (0.003 - 0.0004), 1e-6);
  // A parent that does much itself between them is not to blame on them.
  one.run.seconds = 60;
  for (int i = 0; i < 1000; ++i) one.run.processes[i].start = 0.05 * i, one.run.processes[i].end = 0.05 * i + 0.002;
  ASSERT_EQ(one.look("short-processes").size(), 1U);
  EXPECT_NEAR(one.look("short-processes")[0].seconds, 1000 * (0.006 - 0.0004), 1e-3);
}

TEST(CallerCost, IsPythonsWhereAllOfItIsPython) {
  Use use = posix_writes(1, 1000, 10000, 0.02);
  use.opens = 1000, use.meta_seconds = 0.01;
  OneFile one(use);
  one.run.seconds = 1;
  ASSERT_EQ(one.look("reopen").size(), 1U);
  const double bare = one.look("reopen")[0].seconds;
  one.run.processes.push_back({.exe = "/usr/bin/python3.11", .calls = 3000});
  const auto found = one.look("reopen");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NEAR(found[0].seconds - bare, 0.011, 1e-4);
  EXPECT_NE(found[0].formula.find("of Python around each open (assumed)"), std::string::npos) << found[0].formula;
  one.run.processes.push_back({.exe = "/usr/bin/cat", .calls = 3000});
  EXPECT_NEAR(one.look("reopen")[0].seconds, bare, 1e-9);
}

TEST(SyncPerWrite, LeavesDatabasesToTheirTransactions) {
  Use database = posix_writes(1, 2000, 2000 * 4096, 1);
  database.syncs = 1000;
  OneFile one(database);
  EXPECT_EQ(one.look("sync-per-write").size(), 1U);
  Use journal = posix_writes(1, 3000, 3000 * 512, 2);
  journal.opens = 1000, journal.syncs = 1000;
  one.add_file(journal);
  one.run.files[1].name = "/data/out.dat-journal";
  EXPECT_TRUE(one.look("sync-per-write").empty());
}

TEST(PipeWaits, AreNoMatterOfStorage) {
  Use use;
  use.ranks = 1;
  use.read = {.calls = 100000, .bytes = 1000000, .seconds = 5};
  use.read.sizes[0] = 100000;
  OneFile one(use);
  EXPECT_TRUE(one.look("pipe-waits").empty());
  one.run.files[0].name = "<STDIN>";
  ASSERT_EQ(one.look("pipe-waits").size(), 1U);
  EXPECT_EQ(one.look("pipe-waits")[0].seconds, 0);
  EXPECT_TRUE(one.look("small-reads").empty());
}

TEST(Baseline, IsNeverWhatRulesBlame) {
  Use synced = posix_writes(1, 100, 100 * kMiB, 7);  // 15 MiB/s
  synced.write.sizes = {}, synced.write.sizes[5] = 100;
  EXPECT_EQ(make_baseline(OneFile(synced).run).write.basis, Rate::Basis::kMeasured);
  synced.syncs = 100;
  EXPECT_EQ(make_baseline(OneFile(synced).run).write.basis, Rate::Basis::kAssumed);
}

TEST(Baseline, IsAssumedByTheTypeOfTheFileSystem) {
  OneFile one(posix_writes(1, 1000, 64000, 1));
  EXPECT_DOUBLE_EQ(make_baseline(one.run).write.bytes_per_second, 1024.0 * kMiB);
  one.job.mounts = {{"/data", "nfs4"}, {"/", "ext4"}};
  EXPECT_DOUBLE_EQ(make_baseline(one.run).write.bytes_per_second, 100.0 * kMiB);
  EXPECT_EQ(make_baseline(one.run).write.file_system, "nfs4");
  one.run.concurrency = 1024;  // they share the servers
  EXPECT_DOUBLE_EQ(make_baseline(one.run).write.bytes_per_second, 1.0 * kMiB);
}

TEST(Findings, SayHowFarTheyMayBeOff) {
  const auto found = OneFile(posix_writes(1, 100000, 6400000, 1)).look("small-writes");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_LT(found[0].least, found[0].seconds);
  EXPECT_GT(found[0].most, found[0].seconds);
  EXPECT_LE(found[0].most, 1);
}

std::string advice_for(std::string_view code, SiteUse site, std::vector<SiteUse> others = {}) {
  Run run;
  run.sites = std::move(others);
  run.sites.push_back(site);
  std::vector<Finding> findings(1);
  findings[0].code = code, findings[0].fix = "the rule's own";
  FileEvidence file;
  file.sites.push_back(std::move(site));
  findings[0].files.push_back(std::move(file));
  advise_by_caller(run, findings);
  return findings[0].fix;
}

bool says(const std::string& advice, std::string_view words) { return advice.find(words) != std::string::npos; }

TEST(Advice, IsInTheLanguageOfTheProgram) {
  EXPECT_TRUE(
      says(advice_for("flushed-lines", {.source = "a.cpp", .through = "libstdc++.so.6 (std::ostream::flush())"}),
           "std::endl"));
  EXPECT_TRUE(says(advice_for("flushed-lines", {.source = "a.f90", .through = "libgfortran.so.5 (_gfortran_st_flush)"}),
                   "FLUSH(unit)"));
  EXPECT_TRUE(
      says(advice_for("small-writes", {.source = "a.f90", .through = "libgfortran.so.5 (_gfortran_st_write_done)"}),
           "GFORTRAN_UNBUFFERED_ALL"));
  EXPECT_TRUE(says(advice_for("flushed-lines", {.source = "/src/app.py"}), "flush=True"));
  EXPECT_TRUE(says(advice_for("reopen", {.source = "/src/app.py"}), "with open("));
}

TEST(Advice, IsThatOfTheLibraryInBetween) {
  EXPECT_TRUE(says(advice_for("small-writes", {.source = "a.c", .through = "libhdf5_serial.so.103 (H5Dwrite)"}),
                   "H5Pset_chunk_cache"));
  EXPECT_TRUE(
      says(advice_for("reopen", {.source = "a.py", .through = "_multiarray_umath.cpython-311.so"}), "a.tofile(f)"));
  EXPECT_TRUE(
      says(advice_for("sync-per-write", {.source = "a.py", .through = "libsqlite3.so.0 < _sqlite3.so"}), "COMMIT"));
}

TEST(Advice, KnowsWhichMpiItIs) {
  const SiteUse mpi = {.file = 7, .interface = "MPI-IO", .source = "a.c"};
  EXPECT_TRUE(says(advice_for("no-collectives", mpi, {{.file = 7, .interface = "POSIX", .through = "libmpich.so.12"}}),
                   "romio_cb_write"));
  const SiteUse below = {.file = 7, .interface = "POSIX", .through = "mca_fbtl_posix.so < mca_io_ompio.so"};
  EXPECT_TRUE(says(advice_for("no-collectives", mpi, {below}), "romio321"));
  EXPECT_EQ(advice_for("no-collectives", mpi, {{.file = 8, .interface = "POSIX", .through = "libmpich.so.12"}}),
            "the rule's own");
}

TEST(Advice, IsTheRulesOwnWhereNobodyIsKnown) {
  EXPECT_EQ(advice_for("small-writes", {.source = "a.c"}), "the rule's own");
  EXPECT_EQ(advice_for("imbalance", {.source = "a.py"}), "the rule's own");
}

}  // namespace
}  // namespace trikal::analyze
