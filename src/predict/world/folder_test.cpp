#include "predict/world/folder.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace trikal::predict {
namespace {

TEST(PredictFolder, WhatIsOnTheDiskWithoutWhatIsGoneAndWithWhatIsMade) {
  const std::string folder = testing::TempDir() + "predict-folder-" + std::to_string(getpid());
  std::filesystem::create_directories(folder + "/below");
  std::ofstream(folder + "/stays") << "x";
  std::ofstream(folder + "/goes") << "x";
  World world;
  world.files[world.file_named(folder + "/goes")].exists = false;
  for (const char* made : {"/z", "/a", "/below/deeper"}) world.files[world.file_named(folder + made)].exists = true;
  world.files[world.file_named(folder + "/a")].directory = true;
  (void)world.file_named(folder + "/asked-for-only");
  const std::vector<FolderEntry> all = entries_of(world, folder);
  std::filesystem::remove_all(folder);
  ASSERT_EQ(all.size(), 4U);
  for (const FolderEntry& real : {all[0], all[1]})
    EXPECT_EQ(real.kind, real.name == "below" ? EntryKind::kFolder : EntryKind::kFile) << real.name;
  EXPECT_EQ(all[2].name, "a");
  EXPECT_EQ(all[2].kind, EntryKind::kFolder);
  EXPECT_EQ(all[3].name, "z");
  EXPECT_EQ(all[3].kind, EntryKind::kFile);
}

TEST(PredictFolder, OneThatIsNotThereHasNothing) {
  World world;
  EXPECT_TRUE(entries_of(world, "/nowhere/at/all").empty());
}

}  // namespace
}  // namespace trikal::predict
