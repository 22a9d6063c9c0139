#include "analyze/dataset/history.hpp"

#include <gtest/gtest.h>

namespace trikal::analyze {
namespace {

log::Job job(std::string command, std::int64_t start, std::int64_t nprocs = 4) {
  log::Job made;
  made.exe = std::move(command), made.start_sec = start, made.nprocs = nprocs;
  return made;
}

TEST(History, TheSameProgramEarlier) {
  EXPECT_TRUE(is_earlier_run(job("/opt/app in1.nml", 10), job("/opt/app in2.nml", 20)));
  EXPECT_FALSE(is_earlier_run(job("/opt/app in1.nml", 20), job("/opt/app in1.nml", 20)));  // itself
  EXPECT_FALSE(is_earlier_run(job("/opt/app", 30), job("/opt/app", 20)));
  EXPECT_FALSE(is_earlier_run(job("/opt/other", 10), job("/opt/app", 20)));
  EXPECT_FALSE(is_earlier_run(job("/opt/app", 10, 8), job("/opt/app", 20)));
}

TEST(History, ScriptsAreProgramsOfTheirOwn) {
  EXPECT_TRUE(is_earlier_run(job("python3 train.py --seed 1", 10), job("python3 train.py --seed 2", 20)));
  EXPECT_FALSE(is_earlier_run(job("python3 test.py", 10), job("python3 train.py", 20)));
}

TEST(History, WhatIsLaunchedCountsNotTheLauncher) {
  EXPECT_TRUE(is_earlier_run(job("/usr/bin/mpirun -np 4 ./heat", 10), job("/usr/bin/mpirun -np 4 ./heat", 20)));
  EXPECT_FALSE(is_earlier_run(job("/usr/bin/mpirun -np 4 ./heat", 10), job("/usr/bin/mpirun -np 4 ./sort", 20)));
}

TEST(History, InTheOrderOfTimeAndOnce) {
  analyze::Run run;
  add_past_run(run, {.start = 20, .seconds = 1, .io_seconds = 1, .bytes = 0});
  add_past_run(run, {.start = 10, .seconds = 1, .io_seconds = 1, .bytes = 0});
  add_past_run(run, {.start = 20, .seconds = 1, .io_seconds = 1, .bytes = 0});
  ASSERT_EQ(run.history.size(), 2U);
  EXPECT_EQ(run.history.front().start, 10);
}

}  // namespace
}  // namespace trikal::analyze
