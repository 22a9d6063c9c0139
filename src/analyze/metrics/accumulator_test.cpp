#include "analyze/metrics/accumulator.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "modules/mpiio/schema.hpp"
#include "modules/posix/schema.hpp"
#include "schema/record.hpp"

namespace trikal::analyze {
namespace {

using Posix = Record<modules::posix::kSchema>;
using Mpiio = Record<modules::mpiio::kSchema>;
using Files = Accumulator::Files;

Posix posix(std::uint64_t id, std::int64_t rank, std::int64_t read, std::int64_t written) {
  Posix record;
  record.set_base({id, rank});
  record.at<"POSIX_BYTES_READ">() = read;
  record.at<"POSIX_BYTES_WRITTEN">() = written;
  return record;
}
Posix timed(std::int64_t rank, double meta, double read, double write) {
  Posix record = posix(1, rank, 0, 0);
  record.set_real<"POSIX_F_META_TIME">(meta);
  record.set_real<"POSIX_F_READ_TIME">(read);
  record.set_real<"POSIX_F_WRITE_TIME">(write);
  return record;
}
Posix reaching(std::uint64_t id, std::int64_t rank, std::int64_t read, std::int64_t written) {
  Posix record = posix(id, rank, 1, 1);
  record.at<"POSIX_MAX_BYTE_READ">() = read;
  record.at<"POSIX_MAX_BYTE_WRITTEN">() = written;
  return record;
}
template <class R>
void add(Accumulator& to, const R& record) {
  to.add(std::as_bytes(std::span{record.words}).data());
}
FileCounts of(const Accumulator& totals, FileClass which) {
  return totals.derived().files[static_cast<std::size_t>(which)];
}

TEST(Accumulator, TotalsAreFolded) {
  Accumulator totals(modules::posix::kSchema, 4, Files::kSkip);
  Posix one = posix(1, 0, 10, 5);
  Posix two = posix(2, 1, 20, 0);
  one.at<"POSIX_MAX_BYTE_READ">() = 99;
  two.at<"POSIX_MAX_BYTE_READ">() = 7;
  add(totals, one), add(totals, two);
  Posix sum;
  std::memcpy(sum.words.data(), totals.total().data(), totals.total().size());
  EXPECT_EQ(sum.at<"POSIX_BYTES_READ">(), 30);
  EXPECT_EQ(sum.at<"POSIX_BYTES_WRITTEN">(), 5);
  EXPECT_EQ(sum.at<"POSIX_MAX_BYTE_READ">(), 99);
  EXPECT_EQ(sum.base().id, 0U) << "two files have no id in common";
  EXPECT_EQ(sum.base().rank, -1);
  EXPECT_EQ(totals.derived().total_bytes, 35);
}

TEST(Accumulator, TheSlowestRankIsTheOneWithMostTimeInAllItsFiles) {
  Accumulator totals(modules::posix::kSchema, 4, Files::kSkip);
  add(totals, timed(2, 1, 2, 3)), add(totals, timed(1, 5, 0, 0)), add(totals, timed(2, 0.5, 0, 0));
  const Derived derived = totals.derived();
  EXPECT_EQ(derived.slowest_rank, 2);
  EXPECT_DOUBLE_EQ(derived.unique_io_time, 6.5);
  EXPECT_DOUBLE_EQ(derived.unique_meta_time, 1.5);
  EXPECT_DOUBLE_EQ(derived.unique_rw_time, 5);
}

TEST(Accumulator, OfEquallySlowRanksTheFirst) {
  for (const auto& order : {std::array{3, 1, 2}, std::array{1, 2, 3}, std::array{2, 3, 1}}) {
    Accumulator totals(modules::posix::kSchema, 4, Files::kSkip);
    for (const int rank : order) add(totals, timed(rank, 1, 1, 1));
    EXPECT_EQ(totals.derived().slowest_rank, 1);
  }
}

TEST(Accumulator, NobodyIsSlowWithoutTime) {
  Accumulator totals(modules::posix::kSchema, 4, Files::kSkip);
  add(totals, timed(3, 0, 0, 0));
  EXPECT_EQ(totals.derived().slowest_rank, 0);
  EXPECT_EQ(totals.derived().agg_perf, 0);
}

TEST(Accumulator, SharedFilesCountByTheirSlowestRank) {
  Accumulator totals(modules::posix::kSchema, 4, Files::kSkip);
  Posix shared = posix(1, kSharedRank, 1 << 20, 3 << 20);
  shared.set_real<"POSIX_F_SLOWEST_RANK_TIME">(1.5);
  shared.set_real<"POSIX_F_META_TIME">(100);  // of all ranks together: says nothing of how long it took
  add(totals, shared), add(totals, timed(0, 0.25, 0.25, 0));
  const Derived derived = totals.derived();
  EXPECT_DOUBLE_EQ(derived.shared_time_by_slowest, 1.5);
  EXPECT_DOUBLE_EQ(derived.agg_time, 2);
  EXPECT_DOUBLE_EQ(derived.agg_perf, 2) << "4 MiB in 2 s";
}

TEST(Accumulator, FilesByWhatWasDoneWithThem) {
  Accumulator totals(modules::posix::kSchema, 4, Files::kCount);
  add(totals, posix(1, 0, 10, 0)), add(totals, posix(2, 0, 0, 20)), add(totals, posix(3, 0, 1, 2));
  add(totals, posix(4, 0, 0, 0)), add(totals, posix(1, 0, 0, 0));
  EXPECT_EQ(of(totals, FileClass::kAll).count, 4);
  EXPECT_EQ(of(totals, FileClass::kReadOnly).count, 1);
  EXPECT_EQ(of(totals, FileClass::kReadOnly).total_read, 10);
  EXPECT_EQ(of(totals, FileClass::kWriteOnly).count, 1);
  EXPECT_EQ(of(totals, FileClass::kWriteOnly).max_written, 20);
  EXPECT_EQ(of(totals, FileClass::kReadWrite).count, 1);
}

TEST(Accumulator, FilesByWhoUsedThem) {
  Accumulator totals(modules::posix::kSchema, 3, Files::kCount);
  add(totals, posix(1, 0, 1, 0)), add(totals, posix(2, kSharedRank, 1, 0));
  add(totals, posix(3, 0, 1, 0)), add(totals, posix(3, 1, 1, 0));
  EXPECT_EQ(of(totals, FileClass::kUnique).count, 1);
  EXPECT_EQ(of(totals, FileClass::kUnique).nprocs, 1);
  EXPECT_EQ(of(totals, FileClass::kShared).count, 1);
  EXPECT_EQ(of(totals, FileClass::kShared).nprocs, -1);
  EXPECT_EQ(of(totals, FileClass::kPartShared).count, 1);
  EXPECT_EQ(of(totals, FileClass::kPartShared).nprocs, 2);
  EXPECT_EQ(of(totals, FileClass::kAll).nprocs, -1);
}

TEST(Accumulator, TheFurthestOffset) {
  Accumulator totals(modules::posix::kSchema, 4, Files::kCount);
  add(totals, reaching(1, 0, 5, 9)), add(totals, reaching(1, 1, 7, 0)), add(totals, reaching(2, 0, 100, 0));
  EXPECT_EQ(of(totals, FileClass::kAll).max_offset, 100);
  EXPECT_EQ(of(totals, FileClass::kAll).total_max_offset, 109);
}

TEST(Accumulator, OffsetsBelowZeroSayNothingWhateverTheOrder) {
  for (const bool negative_first : {true, false}) {
    Accumulator totals(modules::posix::kSchema, 4, Files::kCount);
    if (negative_first) add(totals, reaching(1, 0, -9, -7));
    add(totals, reaching(1, 1, 5, 9));
    if (!negative_first) add(totals, reaching(1, 0, -9, -7));
    EXPECT_EQ(of(totals, FileClass::kAll).max_offset, 9) << negative_first;
  }
}

TEST(Accumulator, SomeModulesKnowNoOffsets) {
  Accumulator totals(modules::mpiio::kSchema, 4, Files::kCount);
  Mpiio record;
  record.set_base({1, 0});
  add(totals, record);
  EXPECT_EQ(of(totals, FileClass::kAll).max_offset, -1);
}

TEST(Accumulator, FilesAreToldApartOnlyWhenAskedFor) {
  Accumulator totals(modules::posix::kSchema, 4, Files::kSkip);
  add(totals, posix(1, 0, 1, 1));
  EXPECT_EQ(of(totals, FileClass::kAll).count, 0);
}

TEST(Accumulator, HostileNumbersWrap) {
  Accumulator totals(modules::posix::kSchema, 4, Files::kCount);
  const std::int64_t most = std::numeric_limits<std::int64_t>::max();
  add(totals, posix(1, 0, most, most)), add(totals, posix(1, -7, most, most));
  EXPECT_EQ(totals.derived().total_bytes, -4);
}

// Ranks too may be any number, and times of any size.
TEST(Accumulator, HostileRanksAndTimesAreCounted) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  Accumulator totals(modules::posix::kSchema, -1, Files::kCount);
  Posix first = timed(kMost, 0, 1e308, 1e308);
  Posix second = timed(std::numeric_limits<std::int64_t>::min(), 0, -1e308, 0);
  first.at<"POSIX_BYTES_READ">() = kMost, second.at<"POSIX_BYTES_READ">() = kMost;
  add(totals, first), add(totals, first), add(totals, second);
  EXPECT_EQ(of(totals, FileClass::kAll).count, 1);
  EXPECT_EQ(totals.derived().total_bytes, kMost - 2);
}

TEST(Accumulator, SaysWhatMemoryItTakes) {
  Accumulator files(modules::posix::kSchema, 1, Files::kCount);
  Accumulator ranks(modules::posix::kSchema, 1, Files::kSkip);
  const std::uint64_t before = files.bytes();
  for (std::uint64_t i = 0; i < 10000; ++i) {
    add(files, posix(i << 32, 0, 1, 1));
    add(ranks, posix(1, static_cast<std::int64_t>(i), 1, 1));
  }
  EXPECT_GT(files.bytes(), before + 10000 * 64);
  EXPECT_LT(files.bytes(), before + 10000 * 200);
  EXPECT_GT(ranks.bytes(), 10000U * 48);
}

}  // namespace
}  // namespace trikal::analyze
