#include "analyze/dataset/internal_files.hpp"

#include <gtest/gtest.h>

#include <string>

#include "analyze/rules/one_file.hpp"
#include "schema/system_paths.hpp"

namespace trikal::analyze {
namespace {

TEST(InternalFiles, AreThoseOfMpiAndOurOwn) {
  for (const std::string_view name :
       {"/tmp/ompi.node7.1000/pid.22783/1/sh_cid--1-1.sm", "/tmp/ompi.vm.0/pid.1/pmix_dstor_ds12_22783/dstore_sm.lock",
        "/dev/shm/vader_segment.node7.1000.1.0", "/dev/shm/mpich_shar_tmpAb12", "/dev/shm/trikal-run-1-2/17.map",
        "/tmp/job.17/ompi.node7.1000/x", "/scratch/out.dat.locktest.12"})
    EXPECT_TRUE(is_internal_file(name)) << name;
}

TEST(InternalFiles, AreNotThoseOfTheProgram) {
  for (const std::string_view name :
       {"/scratch/ompi.node7/out.dat", "/tmp/results.dat", "/dev/shm/cache", "/scratch/out.locktest.",
        "/scratch/a.locktest.b", "/scratch/my-ompi.dat", "/scratch/trikal-data/x", "", "/", "out.dat"})
    EXPECT_FALSE(is_internal_file(name)) << name;
}

// What the runtime leaves out and what a report leaves out begins alike.
TEST(InternalFiles, InSharedMemoryAreNotMissed) {
  for (const std::string_view begin : kLibraryFiles)
    EXPECT_TRUE(is_shared_memory("/dev/shm/" + std::string(begin) + "x")) << begin;
  for (const std::string_view name : {"/dev/shm/sem.a", "/dev/shm/.hidden", "/dev/shm/vader_x"})
    EXPECT_TRUE(is_shared_memory(name)) << name;
  for (const std::string_view name : {"/dev/shm/cache", "/tmp/ompi.x", "/dev/shm"})
    EXPECT_FALSE(is_shared_memory(name)) << name;
}

TEST(InternalFiles, AreNoneOfTheFilesOfARun) {
  OneFile one({.write = {.calls = 1, .bytes = 1}});
  EXPECT_EQ(program_files(one.run), 1);
  one.add_file({.read = {.calls = 1, .bytes = 1}});
  one.run.files.back().name = "/dev/shm/vader_segment.1";
  one.run.files.push_back({.id = 9, .name = "/data/no-such-file"});  // it was asked for, and is not there
  one.run.folded_files = 40;
  EXPECT_EQ(internal_files(one.run), 1);
  EXPECT_EQ(program_files(one.run), 41);
}

}  // namespace
}  // namespace trikal::analyze
