#include "report/text/program_name.hpp"

#include <gtest/gtest.h>

namespace trikal::report {
namespace {

TEST(ProgramName, IsTheLastPartOfTheFirstWord) {
  EXPECT_EQ(program_name("/opt/app/simulate input.nml"), "simulate");
  EXPECT_EQ(program_name("simulate"), "simulate");
  EXPECT_EQ(program_name(""), "");
}

TEST(ProgramName, OfAJobIsWhatItsRanksRun) {
  log::Job job;
  job.exe = "/usr/bin/mpirun -np 2 ./heat";
  analyze::Run run;
  run.job = &job;
  run.processes.push_back({.rank = -1, .exe = "/usr/bin/mpirun"});
  run.processes.push_back({.rank = 0, .exe = "/home/me/helper"});
  run.processes.push_back({.rank = 0, .uses_mpi = true, .exe = "/home/me/heat"});
  EXPECT_EQ(program_name(run), "mpirun");  // a script's processes have numbers, too
  run.has_mpi_ranks = true;
  EXPECT_EQ(program_name(run), "heat");
}

}  // namespace
}  // namespace trikal::report
