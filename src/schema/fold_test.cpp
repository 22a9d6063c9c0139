#include "schema/fold.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include "base/bytes.hpp"
#include "schema/families.hpp"
#include "schema/record.hpp"

namespace trikal {
namespace {

// A module that has every fold.
constexpr auto kCounters =
    table(rows({
              {"T_KEPT", Unit::kNone, Fold::kKeep, "x"},
              {"T_SUM", Unit::kCalls, Fold::kSum, "x"},
              {"T_CLAMPED", Unit::kCalls, Fold::kSumClamped, "x"},
              {"T_BYTES_READ", Unit::kBytes, Fold::kSum, "x"},
              {"T_BYTES_WRITTEN", Unit::kBytes, Fold::kSum, "x"},
              {"T_MAX", Unit::kOffset, Fold::kMax, "x"},
              {"T_MIN", Unit::kOffset, Fold::kMin, "x"},
              {"T_ANY", Unit::kFlag, Fold::kAny, "x"},
              {"T_PUT_MAX_SIZE", Unit::kBytes, Fold::kMax, "x"},
              {"T_GET_MAX_SIZE", Unit::kBytes, Fold::kMax, "x"},
              {"T_DISTINCT", Unit::kNone, Fold::kDistinct, "x"},
          }),
          longest_size_rows<"T">(), size_class_rows<"T">(), top_access_rows<"T">(), extreme_rank_rows<"T">(),
          io_time_rows<"T">(), extreme_time_rows<"T">(), variance_rows<"T">(),
          rows({
              real("T_F_MIN", Unit::kTimestamp, Fold::kMin, "x"),
              real("T_F_PUT_MAX_DURATION", Unit::kSeconds, Fold::kWithMaxPut, "x"),
              real("T_F_GET_MAX_DURATION", Unit::kSeconds, Fold::kWithMaxGet, "x"),
          }));
constexpr ModuleSchema kSchema = {
    .id = 60,
    .name = "T",
    .prefix = "T",
    .version = 1,
    .shape = Shape::kFixed,
    .head_bytes = 16 + 8 * slots_in(kCounters),
    .counters_at = 16,
    .counters = kCounters,
    .fields = {},
    .totals = true,
    .roles = roles_of("T", kCounters),
    .help = "x",
};
using TestRecord = Record<kSchema>;

std::byte* bytes(TestRecord& record) { return reinterpret_cast<std::byte*>(record.words.data()); }

TestRecord record_of(std::uint64_t id, std::int64_t rank) {
  TestRecord record;
  record.set_base({id, rank});
  return record;
}

const FoldPlan& plan() {
  static const FoldPlan kPlan(kSchema);
  return kPlan;
}

TestRecord folded(TestRecord into, TestRecord from) {
  plan().combine_ranks(bytes(into), bytes(from));
  return into;
}

TestRecord total_of(std::vector<TestRecord> records) {
  TestRecord into;
  bool first = true;
  for (TestRecord& record : records) plan().combine_totals(bytes(into), bytes(record), std::exchange(first, false));
  return into;
}

// What folding two values of one counter gives.
template <FixedString Name>
std::int64_t fold_of(std::int64_t into, std::int64_t from) {
  TestRecord a, b;
  a.at<Name>() = into, b.at<Name>() = from;
  return folded(a, b).template at<Name>();
}
template <FixedString Name>
double fold_of_real(double into, double from) {
  TestRecord a, b;
  a.set_real<Name>(into), b.set_real<Name>(from);
  return folded(a, b).template real<Name>();
}

TEST(FoldRanks, Sums) {
  EXPECT_EQ(fold_of<"T_SUM">(3, 4), 7);
  EXPECT_EQ(fold_of<"T_SUM">(-1, -1), -2);
  EXPECT_EQ(fold_of_real<"T_F_READ_TIME">(0.5, 0.25), 0.75);
  const auto most = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(fold_of<"T_SUM">(most, 1), std::numeric_limits<std::int64_t>::min());
}

TEST(FoldRanks, ClampedSumsStayAtMinusOne) {
  EXPECT_EQ(fold_of<"T_CLAMPED">(3, 4), 7);
  EXPECT_EQ(fold_of<"T_CLAMPED">(-1, -1), -1);
  EXPECT_EQ(fold_of<"T_CLAMPED">(-1, 0), -1);
  EXPECT_EQ(fold_of<"T_CLAMPED">(-5, 2), -1);
  EXPECT_EQ(fold_of<"T_CLAMPED">(-1, 5), 4);
}

TEST(FoldRanks, MaximaAndMinima) {
  EXPECT_EQ(fold_of<"T_MAX">(3, 4), 4);
  EXPECT_EQ(fold_of<"T_MAX">(4, 3), 4);
  EXPECT_EQ(fold_of<"T_MIN">(3, 4), 3);
  EXPECT_EQ(fold_of<"T_MIN">(4, -3), -3);
  EXPECT_EQ(fold_of_real<"T_F_READ_END_TIMESTAMP">(1.5, 2.5), 2.5);
  EXPECT_EQ(fold_of_real<"T_F_MIN">(1.5, 0.0), 0.0);
}

TEST(FoldRanks, TheFirstTimeIsTheSmallestThatHappened) {
  EXPECT_EQ(fold_of_real<"T_F_OPEN_START_TIMESTAMP">(2.0, 1.0), 1.0);
  EXPECT_EQ(fold_of_real<"T_F_OPEN_START_TIMESTAMP">(1.0, 2.0), 1.0);
  EXPECT_EQ(fold_of_real<"T_F_OPEN_START_TIMESTAMP">(0.0, 2.0), 2.0);
  EXPECT_EQ(fold_of_real<"T_F_OPEN_START_TIMESTAMP">(2.0, 0.0), 2.0);
  EXPECT_EQ(fold_of_real<"T_F_OPEN_START_TIMESTAMP">(0.0, 0.0), 0.0);
}

TEST(FoldRanks, AFlagIsSetWhenEitherIs) {
  EXPECT_EQ(fold_of<"T_ANY">(0, 1), 1);
  EXPECT_EQ(fold_of<"T_ANY">(1, 0), 1);
  EXPECT_EQ(fold_of<"T_ANY">(0, 0), 0);
  EXPECT_EQ(fold_of<"T_ANY">(-1, -1), 0);
}

TEST(FoldRanks, WhatDescribesTheFileIsKept) { EXPECT_EQ(fold_of<"T_KEPT">(8, 9), 8); }

TEST(FoldRanks, HistogramsAddUpBucketByBucket) {
  TestRecord a, b;
  for (std::size_t i = 0; i < 10; ++i) a.at<"T_SIZE_READ_#">(i) = 1 + i, b.at<"T_SIZE_WRITE_#">(i) = 100 + i;
  TestRecord both = folded(a, b);
  for (std::int64_t i = 0; i < 10; ++i) {
    EXPECT_EQ(both.at<"T_SIZE_READ_#">(i), 1 + i);
    EXPECT_EQ(both.at<"T_SIZE_WRITE_#">(i), 100 + i);
  }
}

TEST(FoldRanks, TheSizeGoesWithTheLongerTime) {
  TestRecord brief, lengthy;
  brief.at<"T_MAX_READ_TIME_SIZE">() = 10, brief.set_real<"T_F_MAX_READ_TIME">(0.1);
  lengthy.at<"T_MAX_READ_TIME_SIZE">() = 20, lengthy.set_real<"T_F_MAX_READ_TIME">(0.2);
  brief.at<"T_MAX_WRITE_TIME_SIZE">() = 30, brief.set_real<"T_F_MAX_WRITE_TIME">(0.4);
  lengthy.at<"T_MAX_WRITE_TIME_SIZE">() = 40, lengthy.set_real<"T_F_MAX_WRITE_TIME">(0.3);
  for (TestRecord both : {folded(brief, lengthy), folded(lengthy, brief)}) {
    EXPECT_EQ(both.at<"T_MAX_READ_TIME_SIZE">(), 20);
    EXPECT_EQ(both.real<"T_F_MAX_READ_TIME">(), 0.2);
    EXPECT_EQ(both.at<"T_MAX_WRITE_TIME_SIZE">(), 30);
    EXPECT_EQ(both.real<"T_F_MAX_WRITE_TIME">(), 0.4);
  }
}

TEST(FoldRanks, TheDurationGoesWithTheLargerSize) {
  TestRecord small, large;
  small.at<"T_PUT_MAX_SIZE">() = 10, small.set_real<"T_F_PUT_MAX_DURATION">(0.9);
  large.at<"T_PUT_MAX_SIZE">() = 20, large.set_real<"T_F_PUT_MAX_DURATION">(0.1);
  small.at<"T_GET_MAX_SIZE">() = 8, small.set_real<"T_F_GET_MAX_DURATION">(0.5);
  large.at<"T_GET_MAX_SIZE">() = 7, large.set_real<"T_F_GET_MAX_DURATION">(0.6);
  for (TestRecord both : {folded(small, large), folded(large, small)}) {
    EXPECT_EQ(both.at<"T_PUT_MAX_SIZE">(), 20);
    EXPECT_EQ(both.real<"T_F_PUT_MAX_DURATION">(), 0.1);
    EXPECT_EQ(both.real<"T_F_GET_MAX_DURATION">(), 0.5);
  }
}

TEST(FoldRanks, CommonValuesAreMergedWithTheirCounts) {
  TestRecord a, b;
  a.at<"T_ACCESS#_ACCESS">(0) = 4096, a.at<"T_ACCESS#_COUNT">(0) = 3;
  b.at<"T_ACCESS#_ACCESS">(0) = 512, b.at<"T_ACCESS#_COUNT">(0) = 5;
  b.at<"T_ACCESS#_ACCESS">(1) = 4096, b.at<"T_ACCESS#_COUNT">(1) = 4;
  TestRecord both = folded(a, b);
  EXPECT_EQ(both.at<"T_ACCESS#_ACCESS">(0), 4096);
  EXPECT_EQ(both.at<"T_ACCESS#_COUNT">(0), 7);
  EXPECT_EQ(both.at<"T_ACCESS#_ACCESS">(1), 512);
  EXPECT_EQ(both.at<"T_ACCESS#_COUNT">(1), 5);
  EXPECT_EQ(both.at<"T_ACCESS#_ACCESS">(2), 0);
}

// A rank's own record: `time` seconds in three parts, `moved` bytes in two.
TestRecord rank_record(std::int64_t rank, double time, std::int64_t moved) {
  TestRecord record = record_of(99, rank);
  record.set_real<"T_F_READ_TIME">(time / 2);
  record.set_real<"T_F_WRITE_TIME">(time / 4);
  record.set_real<"T_F_META_TIME">(time / 4);
  record.at<"T_BYTES_READ">() = moved / 2;
  record.at<"T_BYTES_WRITTEN">() = moved - moved / 2;
  return record;
}

TEST(FoldRanks, PreparingTakesTheRanksOwnTimeAndBytes) {
  TestRecord record = rank_record(5, 2.0, 101);
  plan().prepare_shared(bytes(record));
  EXPECT_EQ(record.base().rank, kSharedRank);
  EXPECT_EQ(record.at<"T_FASTEST_RANK">(), 5);
  EXPECT_EQ(record.at<"T_SLOWEST_RANK">(), 5);
  EXPECT_EQ(record.at<"T_FASTEST_RANK_BYTES">(), 101);
  EXPECT_EQ(record.at<"T_SLOWEST_RANK_BYTES">(), 101);
  EXPECT_EQ(record.real<"T_F_FASTEST_RANK_TIME">(), 2.0);
  EXPECT_EQ(record.real<"T_F_SLOWEST_RANK_TIME">(), 2.0);
}

// The numbers are multiples of powers of two, so that sums of reals are exact in any order.
TEST(FoldRanks, OrderOfRanksDoesNotMatter) {
  std::mt19937_64 random(3);
  std::vector<TestRecord> ranks;
  for (std::int64_t rank = 0; rank < 9; ++rank) {
    TestRecord record = rank_record(rank, 1.0 + 0.5 * static_cast<double>((rank * 5) % 9), 1000 + rank);
    record.at<"T_SUM">() = static_cast<std::int64_t>(random() % 100);
    record.at<"T_CLAMPED">() = static_cast<std::int64_t>(random() % 100);
    record.at<"T_MAX">() = static_cast<std::int64_t>(random() % 100);
    record.at<"T_MIN">() = static_cast<std::int64_t>(random() % 100);
    record.at<"T_ANY">() = static_cast<std::int64_t>(random() % 2);
    record.at<"T_MAX_READ_TIME_SIZE">() = static_cast<std::int64_t>(random());
    record.set_real<"T_F_MAX_READ_TIME">(0.25 * static_cast<double>(rank));
    record.set_real<"T_F_OPEN_START_TIMESTAMP">(static_cast<double>(random() % 3));
    record.set_real<"T_F_OPEN_END_TIMESTAMP">(static_cast<double>(random() % 100));
    record.at<"T_ACCESS#_ACCESS">(0) = 512 << (random() % 3), record.at<"T_ACCESS#_COUNT">(0) = 1 + rank;
    plan().prepare_shared(bytes(record));
    ranks.push_back(record);
  }
  const auto fold_all = [&] {
    TestRecord into = ranks[0];
    for (std::size_t i = 1; i < ranks.size(); ++i) into = folded(into, ranks[i]);
    return into;
  };
  const TestRecord expected = fold_all();
  for (int round = 0; round < 50; ++round) {
    std::ranges::shuffle(ranks, random);
    EXPECT_EQ(fold_all().words, expected.words);
  }
  TestRecord first = expected;
  EXPECT_EQ(first.at<"T_FASTEST_RANK">(), 0);
  EXPECT_EQ(first.real<"T_F_SLOWEST_RANK_TIME">(), 5.0);
  EXPECT_EQ(first.at<"T_SLOWEST_RANK">(), 7);  // 7 * 5 mod 9 is 8
  EXPECT_EQ(first.at<"T_SLOWEST_RANK_BYTES">(), 1007);
}

TEST(FoldRanks, VariancesAreSetFromOutside) {
  TestRecord record;
  plan().set_variances(bytes(record), 0.5, 77.0);
  EXPECT_EQ(record.real<"T_F_VARIANCE_RANK_TIME">(), 0.5);
  EXPECT_EQ(record.real<"T_F_VARIANCE_RANK_BYTES">(), 77.0);
  EXPECT_EQ(folded(record, record).real<"T_F_VARIANCE_RANK_TIME">(), 0.5);
}

TEST(FoldTotals, OneRecordIsItsOwnTotal) {
  TestRecord record = rank_record(3, 2.0, 100);
  record.at<"T_KEPT">() = 8, record.at<"T_CLAMPED">() = -1;
  TestRecord total = total_of({record});
  EXPECT_EQ(total.base().id, 99U);
  EXPECT_EQ(total.base().rank, 3);
  EXPECT_EQ(total.at<"T_KEPT">(), 8);
  EXPECT_EQ(total.at<"T_CLAMPED">(), -1);
  EXPECT_EQ(total.at<"T_FASTEST_RANK">(), 3);
  EXPECT_EQ(total.at<"T_SLOWEST_RANK_BYTES">(), 100);
  EXPECT_EQ(total.real<"T_F_SLOWEST_RANK_TIME">(), 2.0);
}

TEST(FoldTotals, TheLastRecordDescribes) {
  TestRecord a = record_of(1, 0), b = record_of(1, 0);
  a.at<"T_KEPT">() = 8, b.at<"T_KEPT">() = 9;
  EXPECT_EQ(total_of({a, b}).at<"T_KEPT">(), 9);
}

TEST(FoldTotals, IdAndRankStandWhileAllAgree) {
  EXPECT_EQ(total_of({record_of(7, 2), record_of(7, 2)}).base().rank, 2);
  EXPECT_EQ(total_of({record_of(7, 2), record_of(7, 3)}).base().rank, kSharedRank);
  EXPECT_EQ(total_of({record_of(7, 2), record_of(7, 3)}).base().id, 7U);
  EXPECT_EQ(total_of({record_of(7, 2), record_of(8, 2), record_of(8, 2)}).base().id, 0U);
  EXPECT_EQ(total_of({record_of(7, 2), record_of(8, 2)}).base().rank, 2);
}

TEST(FoldTotals, FastestAndSlowestOfOneFile) {
  TestRecord total = total_of({rank_record(0, 3.0, 30), rank_record(1, 1.0, 10), rank_record(2, 4.0, 40)});
  EXPECT_EQ(total.at<"T_FASTEST_RANK">(), 1);
  EXPECT_EQ(total.at<"T_FASTEST_RANK_BYTES">(), 10);
  EXPECT_EQ(total.real<"T_F_FASTEST_RANK_TIME">(), 1.0);
  EXPECT_EQ(total.at<"T_SLOWEST_RANK">(), 2);
  EXPECT_EQ(total.at<"T_SLOWEST_RANK_BYTES">(), 40);
  EXPECT_EQ(total.real<"T_F_SLOWEST_RANK_TIME">(), 4.0);
}

TEST(FoldTotals, ASharedRecordBringsItsOwnFastestAndSlowest) {
  TestRecord shared = record_of(99, kSharedRank);
  shared.at<"T_FASTEST_RANK">() = 11, shared.set_real<"T_F_FASTEST_RANK_TIME">(0.5);
  shared.at<"T_SLOWEST_RANK">() = 12, shared.set_real<"T_F_SLOWEST_RANK_TIME">(9.0);
  TestRecord total = total_of({rank_record(0, 3.0, 30), shared});
  EXPECT_EQ(total.at<"T_FASTEST_RANK">(), 11);
  EXPECT_EQ(total.at<"T_SLOWEST_RANK">(), 12);
  EXPECT_EQ(total.real<"T_F_SLOWEST_RANK_TIME">(), 9.0);
}

TEST(FoldTotals, FastestAndSlowestMeanNothingOverSeveralFiles) {
  TestRecord other = rank_record(1, 1.0, 10);
  other.set_base({100, 1});
  // A third record must not bring them back, not even one whose id is the 0 that stands for several.
  TestRecord zero = rank_record(1, 9.0, 10);
  zero.set_base({0, 1});
  for (TestRecord total :
       {total_of({rank_record(0, 3.0, 30), other}), total_of({rank_record(0, 3.0, 30), other, zero})}) {
    EXPECT_EQ(total.at<"T_FASTEST_RANK">(), -1);
    EXPECT_EQ(total.at<"T_FASTEST_RANK_BYTES">(), -1);
    EXPECT_EQ(total.at<"T_SLOWEST_RANK">(), -1);
    EXPECT_EQ(total.real<"T_F_SLOWEST_RANK_TIME">(), 0.0);
    EXPECT_EQ(total.real<"T_F_FASTEST_RANK_TIME">(), 0.0);
  }
}

TEST(FoldTotals, TimesAnOldLogDoesNotHaveDoNotShow) {
  TestRecord old = record_of(1, 0), recent = record_of(1, 0);
  old.set_real<"T_F_CLOSE_START_TIMESTAMP">(-1.0), old.set_real<"T_F_OPEN_END_TIMESTAMP">(-1.0);
  recent.set_real<"T_F_CLOSE_START_TIMESTAMP">(3.0);
  EXPECT_EQ(total_of({old}).real<"T_F_CLOSE_START_TIMESTAMP">(), 0.0);
  EXPECT_EQ(total_of({old}).real<"T_F_OPEN_END_TIMESTAMP">(), 0.0);
  EXPECT_EQ(total_of({old, recent}).real<"T_F_CLOSE_START_TIMESTAMP">(), 3.0);
  EXPECT_EQ(total_of({recent, old}).real<"T_F_CLOSE_START_TIMESTAMP">(), 3.0);
}

TEST(FoldTotals, VariancesAreNotTotalled) {
  TestRecord record = record_of(1, kSharedRank);
  record.set_real<"T_F_VARIANCE_RANK_TIME">(5.0);
  EXPECT_EQ(total_of({record}).real<"T_F_VARIANCE_RANK_TIME">(), 0.0);
}

double direct_variance(const std::vector<double>& values) {
  double mean = 0, squares = 0;
  for (const double value : values) mean += value / static_cast<double>(values.size());
  for (const double value : values) squares += (value - mean) * (value - mean);
  return squares / static_cast<double>(values.size());
}

TEST(Spread, IsTheDirectVarianceHoweverItIsGrouped) {
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> number(-100, 1000);
  for (int round = 0; round < 100; ++round) {
    std::vector<double> values(1 + random() % 200);
    for (double& value : values) value = number(random);
    Spread one_by_one;
    std::vector<Spread> groups(1 + random() % 9);
    for (const double value : values) {
      one_by_one.add(Spread::of(value));
      groups[random() % groups.size()].add(Spread::of(value));
    }
    Spread grouped;
    for (const Spread& group : groups) grouped.add(group);
    const double expected = direct_variance(values);
    EXPECT_NEAR(one_by_one.variance(), expected, 1e-9 * (1 + expected));
    EXPECT_NEAR(grouped.variance(), expected, 1e-9 * (1 + expected));
    EXPECT_EQ(grouped.count, static_cast<double>(values.size()));
  }
}

TEST(Spread, OfNothingAndOfOneIsZero) {
  EXPECT_EQ(Spread{}.variance(), 0.0);
  EXPECT_EQ(Spread::of(5).variance(), 0.0);
  Spread none;
  none.add(Spread{});
  EXPECT_EQ(none.variance(), 0.0);
}

TEST(FoldTotals, DifferentValuesAreCountedOnlyByASharedRecord) {
  TestRecord shared = record_of(1, kSharedRank), own = record_of(1, 3), failed = record_of(1, 4);
  shared.at<"T_DISTINCT">() = 12, own.at<"T_DISTINCT">() = 700, failed.at<"T_DISTINCT">() = -1;
  EXPECT_EQ(total_of({shared}).at<"T_DISTINCT">(), 12);
  EXPECT_EQ(total_of({own}).at<"T_DISTINCT">(), 1);
  EXPECT_EQ(total_of({failed}).at<"T_DISTINCT">(), -1);
  EXPECT_EQ(total_of({own, own}).at<"T_DISTINCT">(), -1) << "the same node or another: nobody knows";
}

}  // namespace
}  // namespace trikal
