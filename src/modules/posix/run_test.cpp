// A run of like accesses is added to the record, once however often that is done.

#include "modules/posix/run.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "modules/posix/schema.hpp"
#include "schema/record.hpp"

namespace trikal::modules::posix {
namespace {

using Live = LiveRecord<kSchema>;
using Accesses = Run;  // a test has a Run of its own

std::byte* bytes_of(Live& record) { return reinterpret_cast<std::byte*>(&record); }
const std::byte* bytes_of(const Run& run) { return reinterpret_cast<const std::byte*>(&run); }

// Eight writes of 64 bytes, one behind the other, in the first second.
Live eight_writes() {
  Live record;
  record.set_base({.id = 7, .rank = 0});
  record.at<"POSIX_WRITES">() = 8, record.at<"POSIX_BYTES_WRITTEN">() = 512;
  record.at<"POSIX_MAX_BYTE_WRITTEN">() = 511;
  record.at<"POSIX_CONSEC_WRITES">() = record.at<"POSIX_SEQ_WRITES">() = 7;
  record.at<"POSIX_SIZE_WRITE_#">() = 8;
  record.at<"POSIX_ACCESS#_ACCESS">() = 64, record.at<"POSIX_ACCESS#_COUNT">() = 8;
  record.set_real<"POSIX_F_WRITE_START_TIMESTAMP">(0.5), record.set_real<"POSIX_F_WRITE_END_TIMESTAMP">(1.0);
  record.set_real<"POSIX_F_WRITE_TIME">(0.25);
  record.set_real<"POSIX_F_MAX_WRITE_TIME">(0.1), record.at<"POSIX_MAX_WRITE_TIME_SIZE">() = 64;
  return record;
}

// 100 more, at a thousand ticks a second.
Run hundred_writes(Live& record) {
  Run run;
  run.head.id = 7;
  run.calibration = {.ticks = 5000, .seconds = 1.0, .seconds_per_tick = 0.001};
  begin_run(run, kWriting, bytes_of(record), 64, 1.0);
  run.like = Run::likeness(Direction::kWrite, 64);
  run.head.count = 100, run.consecutive += 90, run.odd_offset += 3, run.odd_memory += 2;
  run.max_byte = 9000, run.time = 400, run.longest = 200, run.end = 6000;
  return run;
}

void expect_all(Live& record) {
  EXPECT_EQ(record.at<"POSIX_WRITES">(), 108);
  EXPECT_EQ(record.at<"POSIX_BYTES_WRITTEN">(), 6912);
  EXPECT_EQ(record.at<"POSIX_MAX_BYTE_WRITTEN">(), 9000);
  EXPECT_EQ(record.at<"POSIX_CONSEC_WRITES">(), 97);
  EXPECT_EQ(record.at<"POSIX_SEQ_WRITES">(), 97);
  EXPECT_EQ(record.at<"POSIX_SIZE_WRITE_#">(), 108);
  EXPECT_EQ(record.at<"POSIX_ACCESS#_COUNT">(), 108);
  EXPECT_EQ(record.at<"POSIX_FILE_NOT_ALIGNED">(), 3);
  EXPECT_EQ(record.at<"POSIX_MEM_NOT_ALIGNED">(), 2);
  EXPECT_EQ(record.at<"POSIX_READS">(), 0);
  EXPECT_EQ(record.real<"POSIX_F_WRITE_START_TIMESTAMP">(), 0.5);
  EXPECT_DOUBLE_EQ(record.real<"POSIX_F_WRITE_END_TIMESTAMP">(), 2.0);
  EXPECT_DOUBLE_EQ(record.real<"POSIX_F_WRITE_TIME">(), 0.65);
  EXPECT_DOUBLE_EQ(record.real<"POSIX_F_MAX_WRITE_TIME">(), 0.2);
  EXPECT_EQ(record.at<"POSIX_MAX_WRITE_TIME_SIZE">(), 64);
}

TEST(LikeAccesses, IsAddedOnceHoweverOften) {
  Live record = eight_writes();
  const Accesses run = hundred_writes(record);
  for (int time = 0; time < 3; ++time) settle_run(bytes_of(record), bytes_of(run));
  expect_all(record);
}

// A process may be killed after any word of it was stored.
TEST(LikeAccesses, ThatWasHalfAddedIsAddedWhole) {
  Live before = eight_writes();
  const Accesses run = hundred_writes(before);
  Live after = before;
  settle_run(bytes_of(after), bytes_of(run));
  for (std::size_t word = 0; word < after.words.size(); ++word) {
    Live half = before;
    std::copy_n(after.words.begin(), word, half.words.begin());
    settle_run(bytes_of(half), bytes_of(run));
    expect_all(half);
  }
}

TEST(LikeAccesses, ThatHasNotBegunAddsNothing) {
  Live record = eight_writes();
  const Accesses run;
  settle_run(bytes_of(record), bytes_of(run));
  EXPECT_EQ(record.words, eight_writes().words);
}

TEST(LikeAccesses, ThatLiesDoesNoHarm) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  Live record = eight_writes();
  Accesses run = hundred_writes(record);
  run.like = ~std::uint64_t{1};
  run.head.count = run.before.calls = run.before.bytes = run.consecutive = kMost;
  run.calibration.seconds_per_tick = std::numeric_limits<double>::infinity();
  settle_run(bytes_of(record), bytes_of(run));
  EXPECT_EQ(record.base().id, 7U);
  EXPECT_EQ(record.at<"POSIX_READS">(), 0);
}

}  // namespace
}  // namespace trikal::modules::posix
