#include "analyze/rules/critical_path.hpp"

#include <gtest/gtest.h>

#include "analyze/rules/one_file.hpp"

namespace trikal::analyze {
namespace {

Use shared(std::int64_t ranks, double all, double slowest) {
  Use use;
  use.ranks = ranks, use.slowest_rank = 5, use.slowest_seconds = slowest, use.write.seconds = all;
  return use;
}
Use own(std::int64_t rank, double seconds) {
  Use use;
  use.ranks = 1, use.slowest_rank = rank, use.slowest_seconds = use.write.seconds = seconds;
  return use;
}

TEST(CriticalPath, WhatOneRankDoesIsNotDividedByThoseThatWait) {
  const OneFile job(shared(900, 583, 583), 900);
  CriticalPath path(job.run);
  EXPECT_DOUBLE_EQ(path.add(shared(900, 583, 583), 583), 583);
  EXPECT_DOUBLE_EQ(path.seconds().likely, 583);
  EXPECT_NEAR(path.seconds().least, 583.0 / 900, 1e-9);  // if all had lost as much
}

TEST(CriticalPath, EvenRanksLoseSideBySide) {
  const OneFile job(shared(4, 8, 2), 4);
  CriticalPath path(job.run);
  EXPECT_DOUBLE_EQ(path.add(shared(4, 8, 2), 4), 1);
  EXPECT_DOUBLE_EQ(path.seconds().likely, 1);
}

TEST(CriticalPath, FilesOfSingleRanksAreUsedAtTheSameTime) {
  OneFile job(shared(4, 8, 2), 4);
  job.run.has_mpi_ranks = true;
  CriticalPath path(job.run);
  for (std::int64_t rank = 0; rank < 4; ++rank) path.add(own(rank, 3), rank == 2 ? 3 : 1);
  EXPECT_DOUBLE_EQ(path.seconds().likely, 3);
  EXPECT_DOUBLE_EQ(path.seconds().least, 1.5);
  path.add(own(2, 3), 1);  // another file of the slowest
  EXPECT_DOUBLE_EQ(path.seconds().likely, 4);
}

TEST(CriticalPath, ProcessesOfAScriptComeAndGo) {
  OneFile script(own(0, 1), 100);
  script.run.processes.resize(100);
  script.run.concurrency = 2;
  CriticalPath path(script.run);
  for (std::int64_t rank = 0; rank < 100; ++rank) path.add(own(rank, 1), 1);
  EXPECT_DOUBLE_EQ(path.seconds().likely, 50);
  path.add(own(7, 99), 99);  // but what one of them does alone is not divided
  EXPECT_DOUBLE_EQ(path.seconds().likely, 100);
}

TEST(CriticalPath, WhatTheRunLosesIsTakenAsItIs) {
  const OneFile job(shared(64, 64, 1), 64);
  CriticalPath path(job.run);
  Use nobody;
  nobody.ranks = 1;
  path.add(nobody, 2);
  EXPECT_DOUBLE_EQ(path.seconds().least, 2);
  EXPECT_DOUBLE_EQ(path.seconds().most, 2);
}

}  // namespace
}  // namespace trikal::analyze
