#include "base/launcher.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace trikal {
namespace {

std::map<std::string, std::string, std::less<>> environment;

const char* variable(std::string_view name) noexcept {
  const auto found = environment.find(name);
  return found == environment.end() ? nullptr : found->second.c_str();
}

LaunchedTask task_of(std::map<std::string, std::string, std::less<>> variables) {
  environment = std::move(variables);
  return launched_task(variable);
}

TEST(LaunchedTask, NobodyLaunchedIt) {
  EXPECT_EQ(task_of({}).rank, -1);
  EXPECT_FALSE(task_of({{"HOME", "/"}}).is_one_of_many());
}

TEST(LaunchedTask, EachLauncherHasItsNames) {
  struct Case {
    std::map<std::string, std::string, std::less<>> variables;
    std::int64_t rank, ranks, here;
    bool has_step;
  };
  const Case cases[] = {
      {{{"OMPI_COMM_WORLD_RANK", "3"},
        {"OMPI_COMM_WORLD_SIZE", "8"},
        {"OMPI_COMM_WORLD_LOCAL_SIZE", "4"},
        {"PMIX_NAMESPACE", "12345"}},
       3,
       8,
       4,
       true},
      {{{"PMI_RANK", "3"}, {"PMI_SIZE", "8"}, {"MPI_LOCALNRANKS", "4"}}, 3, 8, 4, false},
      {{{"SLURM_PROCID", "3"},
        {"SLURM_STEP_NUM_TASKS", "8"},
        {"SLURM_GTIDS", "2,3,4"},
        {"SLURM_JOB_ID", "7"},
        {"SLURM_STEP_ID", "0"}},
       3,
       8,
       3,
       true},
      {{{"FLUX_TASK_RANK", "3"}, {"FLUX_JOB_SIZE", "8"}, {"FLUX_JOB_ID", "f2UxSt"}}, 3, 8, 0, true},
      {{{"FLUX_TASK_RANK", "3"}, {"FLUX_JOB_SIZE", "8"}, {"FLUX_JOB_NNODES", "1"}}, 3, 8, 8, false},
      {{{"PALS_RANKID", "3"}, {"PMI_SIZE", "8"}, {"PALS_LOCAL_SIZE", "4"}, {"PALS_APID", "a-b"}}, 3, 8, 4, true},
      {{{"ALPS_APP_PE", "3"}, {"PMI_SIZE", "8"}, {"ALPS_APP_ID", "99"}}, 3, 8, 0, true},
      {{{"JSM_NAMESPACE_RANK", "3"},
        {"JSM_NAMESPACE_SIZE", "8"},
        {"JSM_NAMESPACE_LOCAL_SIZE", "4"},
        {"PMIX_NAMESPACE", "jsm-1"}},
       3,
       8,
       4,
       true},
      {{{"PMIX_RANK", "3"}, {"PMIX_NAMESPACE", "x"}}, 3, 0, 0, true},
      {{{"RANK", "3"}, {"WORLD_SIZE", "8"}, {"LOCAL_WORLD_SIZE", "4"}}, 3, 8, 4, false},
  };
  for (const Case& one : cases) {
    const LaunchedTask task = task_of(one.variables);
    const std::string name = one.variables.begin()->first;
    EXPECT_EQ(task.rank, one.rank) << name;
    EXPECT_EQ(task.ranks, one.ranks) << name;
    EXPECT_EQ(task.here, one.here) << name;
    EXPECT_EQ(task.step != 0, one.has_step) << name;
    EXPECT_EQ(task.is_one_of_many(), one.ranks > 1) << name;
  }
}

TEST(LaunchedTask, TheInnermostCounts) {
  const LaunchedTask task = task_of({{"SLURM_PROCID", "0"},
                                     {"SLURM_STEP_NUM_TASKS", "1"},
                                     {"OMPI_COMM_WORLD_RANK", "2"},
                                     {"OMPI_COMM_WORLD_SIZE", "4"}});
  EXPECT_EQ(task.rank, 2);
  EXPECT_EQ(task.ranks, 4);
}

TEST(LaunchedTask, TwoRunsOfHydraInAStepAreNotOne) {
  const LaunchedTask task = task_of({{"PMI_RANK", "1"},
                                     {"PMI_SIZE", "2"},
                                     {"MPI_LOCALNRANKS", "2"},
                                     {"SLURM_PROCID", "0"},
                                     {"SLURM_JOB_ID", "7"},
                                     {"SLURM_STEP_ID", "0"}});
  EXPECT_TRUE(task.is_one_of_many());
  EXPECT_EQ(task.step, 0U);
}

TEST(LaunchedTask, ABatchScriptIsNoTaskOfMany) {
  const LaunchedTask task =
      task_of({{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "16"}, {"SLURM_JOB_ID", "7"}, {"SLURM_NODEID", "0"}});
  EXPECT_FALSE(task.is_one_of_many());
  EXPECT_EQ(task.step, 0U);
}

TEST(LaunchedTask, StepsAndNodesAreToldApart) {
  const std::map<std::string, std::string, std::less<>> first = {
      {"SLURM_PROCID", "0"}, {"SLURM_JOB_ID", "7"}, {"SLURM_STEP_ID", "0"}, {"SLURM_NODEID", "0"}};
  auto other_step = first, other_node = first;
  other_step["SLURM_STEP_ID"] = "1", other_node["SLURM_NODEID"] = "1", other_node["SLURM_PROCID"] = "4";
  const LaunchedTask task = task_of(first);
  EXPECT_NE(task_of(other_step).step, task.step);
  EXPECT_EQ(task_of(other_node).step, task.step);
  EXPECT_NE(task_of(other_node).node, task.node);
}

TEST(LaunchedTask, WhatIsNoNumberIsNoRank) {
  EXPECT_EQ(task_of({{"RANK", "Captain"}, {"WORLD_SIZE", "8"}}).rank, -1);
  EXPECT_FALSE(task_of({{"RANK", "9"}, {"WORLD_SIZE", "8"}}).is_one_of_many());
  EXPECT_EQ(task_of({{"PMI_RANK", "99999999999999999999999"}, {"PMI_SIZE", "2"}}).is_one_of_many(), false);
}

}  // namespace
}  // namespace trikal
