#include "analyze/dataset/outer_time.hpp"

#include <gtest/gtest.h>

namespace trikal::analyze {
namespace {

constexpr std::uint64_t kFile = 1, kOther = 2;

Use took(double slowest, double all) {
  Use use;
  use.slowest_seconds = slowest, use.write.seconds = all;
  return use;
}

TEST(OuterTime, PosixAndStreamsOfARankAddUp) {
  OuterTime time;
  time.add({kFile, 0}, took(1, 1));
  time.add({kFile, 1}, took(3, 3));
  time.add({kOther, 0}, took(1, 1));
  time.add({kOther, kSharedRank}, took(2, 5));
  EXPECT_DOUBLE_EQ(time.sums().slowest, 3 + 2);  // rank 1, and the slowest of the shared file
  EXPECT_DOUBLE_EQ(time.sums().all, 10);
}

// Calls on a file's name are the rank's, unless MPI-IO made them: then they are in its call.
TEST(OuterTime, CallsOnNamesAddUp) {
  OuterTime time;
  time.add_outer({kFile, 0}, took(5, 5));
  time.add_names({kFile, 0}, 2);
  EXPECT_DOUBLE_EQ(time.sums().all, 5);
  time.add_names({kOther, 0}, 2);
  EXPECT_DOUBLE_EQ(time.sums().slowest, 7);
  EXPECT_DOUBLE_EQ(time.sums().all, 7);
  EXPECT_DOUBLE_EQ(time.names(), 2);
}

TEST(OuterTime, LibrariesByRank) {
  OuterTime time;
  time.add_library({kFile, 0}, {2, 2});
  time.add_library({kOther, 0}, {1, 1});
  time.add_library({kOther, kSharedRank}, {3, 9});
  time.add_outer({kFile, 1}, took(5, 5));
  EXPECT_EQ(time.library_seconds(), (std::map<std::int64_t, double>{{0, 3}, {kSharedRank, 9}}));
}

TEST(OuterTime, CallsInsideMpiioAreNotCountedAgain) {
  OuterTime time;
  time.add_outer({kFile, 0}, took(5, 5));
  time.add({kFile, 0}, took(4, 4));
  time.add({kOther, 0}, took(1, 1));  // not through MPI-IO
  EXPECT_DOUBLE_EQ(time.sums().slowest, 6);
  EXPECT_DOUBLE_EQ(time.sums().all, 6);
}

TEST(OuterTime, AggregatorsWorkInsideTheCallOfAll) {
  OuterTime time;
  time.add_outer({kFile, kSharedRank}, took(5, 19));
  time.add({kFile, 0}, took(4, 4));
  time.add({kFile, 2}, took(3, 3));
  EXPECT_DOUBLE_EQ(time.sums().slowest, 5);
  EXPECT_DOUBLE_EQ(time.sums().all, 19);
}

TEST(OuterTime, InnerCallsMayTakeLonger) {  // nonblocking ones, or a library that works behind the program's back
  OuterTime time;
  time.add_outer({kFile, 0}, took(1, 1));
  time.add({kFile, 0}, took(4, 4));
  EXPECT_DOUBLE_EQ(time.sums().slowest, 4);
}

TEST(OuterTime, LibrariesContainMpiioAndPosix) {
  OuterTime time;
  time.add_library({kFile, kSharedRank}, {9.5, 30});
  time.add_outer({kFile, kSharedRank}, took(2, 6));
  time.add({kFile, kSharedRank}, took(1, 3));
  EXPECT_DOUBLE_EQ(time.sums().slowest, 9.5);
  EXPECT_DOUBLE_EQ(time.sums().all, 30);
  const auto nested = time.nested();
  ASSERT_EQ(nested.size(), 1U);
  EXPECT_DOUBLE_EQ(nested[0].in_library(), 24);
  EXPECT_DOUBLE_EQ(nested[0].in_mpiio(), 3);
}

TEST(OuterTime, RanksOfALibraryAreInsideOfWhatAllDo) {
  OuterTime time;
  time.add_library({kFile, 0}, {1, 1});
  time.add_library({kFile, 1}, {4, 4});
  time.add_outer({kFile, kSharedRank}, took(3, 6));
  EXPECT_DOUBLE_EQ(time.sums().slowest, 4);
}

}  // namespace
}  // namespace trikal::analyze
