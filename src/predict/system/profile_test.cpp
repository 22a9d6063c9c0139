#include "predict/system/profile.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace trikal::predict {
namespace {

TEST(Profile, MeasuredCostsAreThereAndReadBackAsTheyWereWritten) {
  const std::string folder = testing::TempDir();
  const SystemProfile profile = measure_system({folder}, true);
  ASSERT_EQ(profile.mounts.size(), 1U);
  ASSERT_EQ(profile.mounts[0].prices.size(), kOperations);
  for (std::size_t i = 0; i < kOperations; ++i)
    EXPECT_GT(profile.mounts[0].prices[i].each, 0) << name_of(static_cast<analyze::Operation>(i));
  for (const double cost : profile.work) EXPECT_GT(cost, 0);
  EXPECT_GT(profile.mounts[0].write_bandwidth, 0);
  EXPECT_GE(profile.mounts[0].concurrency, 1);
  const std::string path = folder + "/system-test-" + std::to_string(getpid()) + ".json";
  std::ofstream(path) << profile_json(profile);
  const auto again = read_profile(path);
  std::filesystem::remove(path);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->machine, this_machine());
  EXPECT_NEAR(again->mounts[0].prices[2].each, profile.mounts[0].prices[2].each,
              1e-3 * profile.mounts[0].prices[2].each);
}

TEST(Profile, TheLongestMountHoldsAPath) {
  SystemProfile profile;
  profile.mounts.resize(2);
  profile.mounts[0].path = "/", profile.mounts[1].path = "/scratch";
  EXPECT_EQ(profile.mount_of("/scratch/run/1")->path, "/scratch");
  EXPECT_EQ(profile.mount_of("/scratchpad")->path, "/");
}

TEST(Profile, AFileThatIsNoProfileIsNone) {
  const std::string path = testing::TempDir() + "/no-profile-" + std::to_string(getpid()) + ".json";
  std::ofstream(path) << "{\"schema\": \"other\"}";
  EXPECT_FALSE(read_profile(path));
  EXPECT_FALSE(read_profile(path + ".absent"));
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace trikal::predict
