#include "analyze/dataset/internal_files.hpp"

#include <gtest/gtest.h>

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
        "/scratch/a.locktest.b", "/tmp/my-ompi.dat", "/tmp/trikal-data/x", "", "/", "out.dat"})
    EXPECT_FALSE(is_internal_file(name)) << name;
}

}  // namespace
}  // namespace trikal::analyze
