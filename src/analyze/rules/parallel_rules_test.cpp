// Rules about ranks, MPI-IO, HDF5 and Lustre: what they need is in few real logs, so their judgement is tested here.

#include <gtest/gtest.h>

#include "analyze/rules/chunk_advice.hpp"
#include "analyze/rules/judge.hpp"
#include "analyze/rules/one_file.hpp"

namespace trikal::analyze {
namespace {

constexpr std::int64_t kMiB = 1024 * 1024;

// `active` of `ranks` ranks write 1 GiB in even shares, a second each, the slowest in `slowest` seconds.
Use shared_write(std::int64_t ranks, std::int64_t active, double slowest) {
  Use use;
  use.ranks = ranks, use.slowest_rank = 3, use.slowest_seconds = slowest;
  use.write = {.calls = 8192, .bytes = 1024 * kMiB, .sequential = 8192, .end = 1024 * kMiB};
  use.write.seconds = static_cast<double>(active - 1) + slowest;
  use.write.sizes[4] = 8192;  // too small to be a baseline
  use.slowest_bytes = use.write.bytes / active;
  const auto share = static_cast<double>(use.slowest_bytes);
  use.squared_bytes = static_cast<double>(active) * share * share;
  return use;
}

Use collective_write(std::int64_t ranks, std::int64_t calls) {
  Use use;
  use.ranks = ranks;
  use.write = {.calls = calls, .bytes = 1024 * kMiB, .collective = calls, .seconds = 1};
  return use;
}

TEST(ActiveRanks, AreThoseThatMoveTheBytes) {
  EXPECT_DOUBLE_EQ(shared_write(8, 8, 1).active_ranks(), 8);
  EXPECT_DOUBLE_EQ(shared_write(2048, 64, 1).active_ranks(), 64);
  EXPECT_DOUBLE_EQ(shared_write(8, 1, 1).active_ranks(), 1);
}

TEST(Straggler, IsHeldAgainstThoseWithAsMuchToDo) {
  OneFile slow(shared_write(8, 8, 5), 8);
  slow.run.slowest_seconds = 5;
  const auto found = slow.look("straggler");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NEAR(found[0].seconds, 5 - 12.0 / 8, 1e-9);
  EXPECT_NE(found[0].files[0].text.find("rank 3 5.00 s"), std::string::npos) << found[0].files[0].text;
  // Aggregators are slower than ranks that do nothing; that is no straggler.
  OneFile aggregated(shared_write(64, 4, 1), 64);
  aggregated.add(Layer::kMpiio, collective_write(64, 100));
  EXPECT_TRUE(aggregated.look("straggler").empty());
}

TEST(Straggler, IsFoundInOurOwnLogsOfMpiJobs) {
  OneFile one(shared_write(8, 8, 5), 8);
  one.run.processes.resize(8);
  EXPECT_TRUE(one.look("straggler").empty());  // a script's processes do not wait for each other
  one.run.has_shared_records = true;
  EXPECT_EQ(one.look("straggler").size(), 1U);
  one.run.has_shared_records = false, one.run.has_mpi_ranks = true;  // files of their own, no MPI-IO
  EXPECT_EQ(one.look("straggler").size(), 1U);
}

// Eight ranks with files of their own, a second each; rank 3 is as given.
OneFile ranks_with_files(double seconds, std::int64_t bytes) {
  OneFile one(shared_write(8, 8, 1), 8);
  one.run.slowest_seconds = seconds, one.run.all_seconds = 7 + seconds, one.run.has_mpi_ranks = true;
  for (std::int64_t rank = 0; rank < 8; ++rank) {
    one.run.ranks.push_back({.rank = rank, .bytes_written = kMiB, .calls = 10, .files = 1, .write_seconds = 1});
  }
  one.run.ranks[3].bytes_written = bytes, one.run.ranks[3].write_seconds = seconds;
  return one;
}

TEST(Imbalance, IsMoreWorkAndNotASlowDisk) {
  const OneFile uneven = ranks_with_files(5, 5 * kMiB), stalled = ranks_with_files(5, kMiB);
  ASSERT_EQ(uneven.look("imbalance").size(), 1U);
  EXPECT_NEAR(uneven.look("imbalance")[0].seconds, 5 - 12.0 / 8, 1e-9);
  EXPECT_TRUE(uneven.look("straggler").empty());
  EXPECT_TRUE(stalled.look("imbalance").empty());
  ASSERT_EQ(stalled.look("straggler").size(), 1U);
  EXPECT_NE(stalled.look("straggler")[0].title.find("rank 3 is far slower"), std::string::npos);
  EXPECT_TRUE(ranks_with_files(1, kMiB).look("straggler").empty());
}

TEST(Imbalance, MayBeInCallsAlone) {
  OneFile many_calls = ranks_with_files(5, kMiB);
  many_calls.run.ranks[3].calls = 1000;
  EXPECT_EQ(many_calls.look("imbalance").size(), 1U);
  EXPECT_TRUE(many_calls.look("straggler").empty());
}

TEST(UnevenSharedFile, IsTheWorkOfFew) {
  EXPECT_EQ(OneFile(shared_write(8, 2, 1), 8).look("uneven-shared-file").size(), 1U);
  EXPECT_TRUE(OneFile(shared_write(8, 8, 1), 8).look("uneven-shared-file").empty());
  OneFile aggregated(shared_write(8, 2, 1), 8);
  aggregated.add(Layer::kMpiio, collective_write(8, 100));
  EXPECT_TRUE(aggregated.look("uneven-shared-file").empty());
}

TEST(FewAggregators, AreFewerThanStripes) {
  OneFile one(shared_write(64, 2, 1), 64);
  one.add(Layer::kMpiio, collective_write(64, 100));
  EXPECT_TRUE(one.look("few-aggregators").empty());  // nothing is known of stripes
  one.lay_out({{.stripe_size = kMiB, .stripes = 8}});
  const auto found = one.look("few-aggregators");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_LE(found[0].seconds, 0.75);
  OneFile enough(shared_write(64, 8, 1), 64);
  enough.add(Layer::kMpiio, collective_write(64, 100));
  enough.lay_out({{.stripe_size = kMiB, .stripes = 8}});
  EXPECT_TRUE(enough.look("few-aggregators").empty());
}

TEST(SingleStripe, KnowsProgressiveLayouts) {
  OneFile one(shared_write(8, 8, 1), 8);
  EXPECT_TRUE(one.look("single-stripe").empty());
  one.lay_out({{.stripe_size = kMiB, .stripes = 1}});
  ASSERT_EQ(one.look("single-stripe").size(), 1U);
  EXPECT_NEAR(one.look("single-stripe")[0].seconds, 0.5, 1e-9);
  // One stripe for the first megabytes, more behind them.
  one.lay_out({{.begin = 0, .end = 16 * kMiB, .stripe_size = kMiB, .stripes = 1},
               {.begin = 16 * kMiB, .end = -1, .stripe_size = kMiB, .stripes = 8}});
  EXPECT_TRUE(one.look("single-stripe").empty());
  // The wide part begins where the file has ended already.
  one.lay_out({{.begin = 0, .end = 2048 * kMiB, .stripe_size = kMiB, .stripes = 1},
               {.begin = 2048 * kMiB, .end = -1, .stripe_size = kMiB, .stripes = 8}});
  EXPECT_EQ(one.look("single-stripe").size(), 1U);
}

TEST(StripeContention, NeedsBlocksWithSeveralWriters) {
  OneFile one(shared_write(8, 8, 1), 8);
  one.run.trace_of(one.run.files[0]) = {.block_bytes = kMiB, .blocks = 1024, .contended = 512};
  const auto found = one.look("stripe-contention");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_GT(found[0].seconds, 0);
  EXPECT_LT(found[0].seconds, 0.2 * 0.5 * 1);
  one.run.trace_of(one.run.files[0]).contended = 8;
  EXPECT_TRUE(one.look("stripe-contention").empty());
}

TEST(StripeContention, IsToldByCountersWhereThereIsNoTrace) {
  const auto found = [](std::int64_t sequential, std::int64_t consecutive, std::int64_t end) {
    Use use = shared_write(8, 8, 1);
    use.write.calls = 4096, use.write.bytes = 256 * kMiB, use.write.end = end;
    use.write.sequential = sequential, use.write.consecutive = consecutive;
    return OneFile(use, 8).look("stripe-contention").size();
  };
  EXPECT_EQ(found(4088, 0, 256 * kMiB), 1U);  // pieces of 64 KiB of alternating ranks
  EXPECT_EQ(found(4088, 4088, 256 * kMiB), 0U);  // each rank its region
  EXPECT_EQ(found(4088, 4088 - 64, 256 * kMiB), 0U);  // pieces of 4 MiB
  EXPECT_EQ(found(2000, 0, 256 * kMiB), 0U);  // to and fro, maybe within a region
  EXPECT_EQ(found(4088, 0, 1024 * kMiB), 0U);  // what is skipped is a hole
}

TEST(DataSieving, MovesMoreThanAskedFor) {
  Use posix = shared_write(8, 8, 1);
  posix.read = {.calls = 1024, .bytes = 1024 * kMiB, .sequential = 1024, .end = 1024 * kMiB, .seconds = 4};
  OneFile one(posix, 8);
  Use mpi;
  mpi.ranks = 8;
  mpi.write = {.calls = 1024, .bytes = 1024 * kMiB, .independent = 1024, .seconds = 12};
  one.add(Layer::kMpiio, mpi);
  auto found = one.look("data-sieving");  // nobody asked to read
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NEAR(found[0].seconds, 4.0 / 8, 1e-9);
  mpi.read.bytes = 1024 * kMiB;
  one.run.uses[2].replace(0, mpi);
  EXPECT_TRUE(one.look("data-sieving").empty());
}

TEST(EveryRankReads, IsNotReread) {
  Use use;
  use.ranks = 8;
  use.read = {.calls = 800, .bytes = 8 * 100 * kMiB, .sequential = 800, .end = 100 * kMiB, .seconds = 8};
  OneFile one(use, 8);
  ASSERT_EQ(one.look("every-rank-reads").size(), 1U);
  EXPECT_NEAR(one.look("every-rank-reads")[0].seconds, 7.0 / 8, 1e-9);
  EXPECT_TRUE(one.look("reread").empty());
  use.read.end = 800 * kMiB;  // each its own part
  one.run.uses[0].replace(0, use);
  EXPECT_TRUE(one.look("every-rank-reads").empty());
}

TEST(NoCollectives, JudgesDirectionsApart) {
  OneFile one(shared_write(8, 8, 1), 8);
  Use mpi;
  mpi.ranks = 8;
  mpi.read = {.calls = 10000, .bytes = 10000 * 512, .independent = 10000, .seconds = 8};
  mpi.write = {.calls = 10000, .bytes = 10000 * 512, .collective = 10000, .seconds = 8};
  one.add(Layer::kMpiio, mpi);
  const auto found = one.look("no-collectives");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NE(found[0].title.find("reads"), std::string::npos);
}

TEST(NoNonblocking, OnlyWhereThereIsMpiIo) {
  OneFile one(shared_write(8, 8, 1), 8);
  EXPECT_TRUE(one.look("no-nonblocking").empty());
  Use mpi = collective_write(8, 1000);
  mpi.write.seconds = 16;
  one.add(Layer::kMpiio, mpi);
  EXPECT_EQ(one.look("no-nonblocking").size(), 1U);  // writes; a direction that is not used is not blamed
  one.run.layers[2].total.write.nonblocking = 1;
  EXPECT_TRUE(one.look("no-nonblocking").empty());
}

TEST(FilePerProcess, NeedsManyRanks) {
  Use use;
  use.ranks = 1, use.meta_seconds = 1;
  use.write = {.calls = 10, .bytes = 10 * kMiB, .seconds = 1};
  for (const std::int64_t ranks : {2, 64}) {
    OneFile one(use, ranks);
    for (std::int64_t i = 1; i < ranks; ++i) one.add_file(use);
    EXPECT_EQ(one.look("file-per-process").size(), ranks == 64 ? 1U : 0U);
  }
}

Dataset dataset_of(std::int64_t ranks) {
  Dataset dataset{.id = 7, .file = 1, .name = "/data/out.dat:/t", .use = {}};
  dataset.use.ranks = ranks;
  dataset.use.write = {.calls = 2000, .bytes = 2000 * 4096, .seconds = 2};
  return dataset;
}

TEST(Hdf5, SmallChunks) {
  OneFile one(shared_write(1, 1, 1), 1);
  one.run.datasets = {dataset_of(1)};
  EXPECT_TRUE(one.look("small-chunks").empty());  // contiguous
  one.run.datasets[0].chunk_bytes = 4096;
  EXPECT_EQ(one.look("small-chunks").size(), 1U);
  one.run.datasets[0].chunk_bytes = kMiB;
  EXPECT_TRUE(one.look("small-chunks").empty());
}

Dataset rows_of(std::int64_t rows, std::int64_t columns) {
  Dataset dataset = dataset_of(1);
  dataset.elements = rows * columns, dataset.element_bytes = 8;
  dataset.chunk = {16, 16}, dataset.chunk_bytes = 2048;
  return dataset;
}

TEST(ChunkAdvice, FollowsTheAccesses) {
  Dataset dataset = rows_of(4096, 4096);
  dataset.access = {0, 0, 0, 4096, 1};  // rows: the slowest dimension is the last, and there are two
  dataset.access_bytes = 32768, dataset.access_count = 4096;
  const ChunkAdvice advice = better_chunks(dataset);
  EXPECT_EQ(advice.then, (std::vector<std::int64_t>{8, 4096}));
  EXPECT_EQ(advice.bytes, 256.0 * 1024);
  EXPECT_EQ(advice.touched_now, 256);
  EXPECT_EQ(advice.touched_then, 1);
  const std::string fix = chunk_fix(dataset);
  EXPECT_NE(fix.find("H5Pset_chunk(list, 2, (hsize_t[]){8, 4096})"), std::string::npos) << fix;
  EXPECT_NE(fix.find("chunks=(8, 4096)"), std::string::npos) << fix;
  EXPECT_NE(fix.find("H5Pset_chunk_cache(list, 2579, 1048576, 0.75)"), std::string::npos)
      << fix;  // ten slots a chunk, a prime
}

TEST(ChunkAdvice, DividesWhatIsLarge) {
  Dataset dataset = rows_of(2048, 2048);
  dataset.access = {0, 0, 0, 2048, 2048};
  const ChunkAdvice advice = better_chunks(dataset);
  EXPECT_EQ(advice.then, (std::vector<std::int64_t>{256, 512}));
  EXPECT_EQ(advice.touched_now, 16384);
  EXPECT_EQ(advice.touched_then, 32);
}

TEST(ChunkAdvice, KeepsTheShapeWhereAllIsSelected) {
  Dataset dataset = rows_of(2048, 2048);
  dataset.access_bytes = 32 * kMiB;
  const ChunkAdvice advice = better_chunks(dataset);
  EXPECT_EQ(advice.then, (std::vector<std::int64_t>{256, 512}));
  EXPECT_EQ(advice.touched_then, 32);
  dataset = rows_of(16, 64);  // no larger than the dataset
  EXPECT_EQ(better_chunks(dataset).then, (std::vector<std::int64_t>{32, 32}));
}

TEST(ChunkAdvice, SaysNothingOfWhatItDoesNotKnow) {
  Dataset dataset = rows_of(16, 16);
  dataset.chunk = {};
  EXPECT_TRUE(better_chunks(dataset).then.empty());
  dataset = rows_of(16, 16), dataset.element_bytes = 0;
  EXPECT_EQ(chunk_fix(dataset), "");
  dataset = rows_of(16, 16), dataset.chunk[1] = std::int64_t{1} << 62;
  EXPECT_EQ(chunk_fix(dataset), "");
}

TEST(Hdf5, IndependentTransfers) {
  OneFile one(shared_write(8, 8, 1), 8);
  one.run.datasets = {dataset_of(8)};
  EXPECT_TRUE(one.look("hdf5-independent").empty());  // not through MPI-IO
  one.run.files[0].is_parallel_hdf5 = true;
  EXPECT_EQ(one.look("hdf5-independent").size(), 1U);
  one.run.datasets[0].collective = true;
  EXPECT_TRUE(one.look("hdf5-independent").empty());
}

TEST(Hdf5, MetadataReadByEveryRank) {
  Use use = shared_write(8, 8, 1);
  use.read = {.calls = 2000, .bytes = 2000 * 200, .sequential = 2000, .end = 1 << 20, .seconds = 4};
  use.read.sizes[1] = 2000;
  OneFile one(use, 8);
  EXPECT_TRUE(one.look("hdf5-metadata-reads").empty());
  one.run.files[0].is_parallel_hdf5 = true;
  EXPECT_EQ(one.look("hdf5-metadata-reads").size(), 1U);
  // One rank reads and tells the others.
  Use few = shared_write(8, 1, 1);
  few.read = use.read;
  OneFile told(few, 8);
  told.run.files[0].is_parallel_hdf5 = true;
  EXPECT_TRUE(told.look("hdf5-metadata-reads").empty());
}

TEST(Hdf5, ManySmallDatasetsAndScatteredSelections) {
  OneFile one(shared_write(1, 1, 1), 1);
  Dataset dataset = dataset_of(1);
  dataset.use.write.bytes = 1000, dataset.use.meta_seconds = 0.001;
  one.run.datasets.assign(1000, dataset);
  EXPECT_EQ(one.look("many-datasets").size(), 1U);
  EXPECT_TRUE(one.look("scattered-selections").empty());
  one.run.datasets.resize(999);
  one.run.datasets[0].scattered = 2000;
  EXPECT_TRUE(one.look("many-datasets").empty());
  EXPECT_EQ(one.look("scattered-selections").size(), 1U);
}

TEST(SlowFileSystem, NeedsAFasterOne) {
  OneFile one(shared_write(8, 8, 4), 8);
  one.job.mounts = {{"/data", "nfs4"}, {"/", "ext4"}};
  EXPECT_TRUE(one.look("slow-file-system").empty());
  one.job.mounts = {{"/scratch", "lustre"}, {"/data", "nfs4"}, {"/", "ext4"}};
  EXPECT_EQ(one.look("slow-file-system").size(), 1U);
  one.job.mounts = {{"/data", "lustre"}, {"/home", "nfs4"}, {"/", "ext4"}};
  EXPECT_TRUE(one.look("slow-file-system").empty());
}

}  // namespace
}  // namespace trikal::analyze
