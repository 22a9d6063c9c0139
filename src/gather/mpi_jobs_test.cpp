#include "gather/mpi_jobs.hpp"

#include <gtest/gtest.h>

#include "support/map_builder.hpp"

namespace trikal::gather {
namespace {

struct Made {
  std::int64_t pid, parent;
  std::string program;
  std::int64_t rank = -1, ranks = 0;
  std::uint64_t mpi_job = 0, spawned = 0;
};

// In the order of their start.
std::vector<MapFile> maps_of(const std::vector<Made>& processes) {
  std::vector<MapFile> maps;
  for (const Made& made : processes) {
    testing::MapBuilder map;
    map.set_text(made.program + '\0', made.program, "");
    map.header().identity.pid = made.pid;
    log::crash::JobFacts& job = map.header().job;
    job.parent_pid = made.parent, job.rank = made.rank, job.ranks = made.ranks;
    job.mpi_job = made.mpi_job, job.spawned = made.spawned;
    job.start_sec = 1000 + static_cast<std::int64_t>(maps.size());
    maps.push_back(*MapFile::from_memory("map", {map.bytes().begin(), map.bytes().end()}));
  }
  return maps;
}

std::vector<std::int64_t> pids(const TreeJob& job) {
  std::vector<std::int64_t> found;
  for (const MapFile* file : job.files) found.push_back(file->view().header().identity.pid);
  return found;
}

TEST(MpiJobs, ATreeWithoutMpiIsOne) {
  const auto maps = maps_of({{1, 0, "/bin/sh"}, {2, 1, "/bin/cp"}});
  const auto jobs = split_into_jobs(maps);
  ASSERT_EQ(jobs.size(), 1U);
  EXPECT_EQ(jobs[0].ranks, 0);
  EXPECT_EQ(pids(jobs[0]), (std::vector<std::int64_t>{1, 2}));
  EXPECT_EQ(split_into_jobs({}).size(), 1U);
}

TEST(MpiJobs, LaunchersAndChildrenGoWithTheirRanks) {
  const auto maps = maps_of({{1, 0, "/bin/sh"},
                             {2, 1, "/usr/bin/mpirun"},
                             {3, 2, "/a", 0, 2, 7},
                             {4, 2, "/a", 1, 2, 7},
                             {5, 1, "/bin/cp"},
                             {6, 1, "/usr/bin/mpirun"},
                             {7, 6, "/b", 0, 2, 8},
                             {8, 6, "/b", 1, 2, 8},
                             {9, 8, "/bin/helper"}});
  const auto jobs = split_into_jobs(maps);
  ASSERT_EQ(jobs.size(), 2U);
  EXPECT_EQ(pids(jobs[0]), (std::vector<std::int64_t>{1, 2, 3, 4, 5}));
  EXPECT_EQ(pids(jobs[1]), (std::vector<std::int64_t>{6, 7, 8, 9}));
  EXPECT_EQ(jobs[0].members.size(), 2U);
  EXPECT_EQ(relation_of(jobs[1], jobs[0]), "same tree");
}

TEST(MpiJobs, WhoSpawnedWhom) {
  const auto maps = maps_of({{2, 1, "/usr/bin/mpirun"}, {3, 2, "/a", 0, 1, 7}, {4, 2, "/b", 0, 1, 8, 1}});
  const auto jobs = split_into_jobs(maps);
  ASSERT_EQ(jobs.size(), 2U);
  EXPECT_EQ(relation_of(jobs[1], jobs[0]), "spawned by it");
  EXPECT_EQ(relation_of(jobs[0], jobs[1]), "spawned it");
}

TEST(MpiJobs, ARankThatComesTwiceIsOfTwoJobs) {
  const auto maps =
      maps_of({{3, 2, "/a", 0, 2, 7}, {4, 2, "/a", 1, 2, 7}, {5, 2, "/b", 0, 2, 7}, {6, 2, "/b", 1, 2, 7}});
  const auto jobs = split_into_jobs(maps);
  ASSERT_EQ(jobs.size(), 2U);
  EXPECT_EQ(pids(jobs[1]), (std::vector<std::int64_t>{5, 6}));
}

TEST(MpiJobs, WithoutALauncherOnlyTheOnlyOneIsAJob) {
  EXPECT_EQ(split_into_jobs(maps_of({{3, 2, "/a", 0, 1}}))[0].ranks, 1);
  const auto several = split_into_jobs(maps_of({{3, 2, "/a", 0, 1}, {4, 2, "/a", 0, 1}}));
  ASSERT_EQ(several.size(), 1U);
  EXPECT_EQ(several[0].ranks, 0);
}

TEST(MpiJobs, NonsenseIsNoRank) {
  // Parents in a circle, ranks that cannot be.
  const auto jobs = split_into_jobs(maps_of({{3, 4, "/a", 5, 2, 7}, {4, 3, "/a", -3, 2, 7}, {5, 5, "/a", 0, -1, 7}}));
  ASSERT_EQ(jobs.size(), 1U);
  EXPECT_EQ(jobs[0].ranks, 0);
  EXPECT_EQ(jobs[0].files.size(), 3U);
}

}  // namespace
}  // namespace trikal::gather
