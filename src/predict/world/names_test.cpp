#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "predict/world/folder.hpp"

namespace trikal::predict {
namespace {

class PredictNames : public testing::Test {
 protected:
  PredictNames()
      : folder(std::filesystem::canonical(testing::TempDir()) / ("predict_names-" + std::to_string(getpid()))) {
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder / "sub");
    std::ofstream(folder / "sub" / "file") << "text";
    std::filesystem::create_symlink("sub", folder / "link");
    world.here = folder.string();
  }
  ~PredictNames() override { std::filesystem::remove_all(folder); }
  File& at(const std::string& name) { return world.files[world.file_named(world.full_name(name))]; }
  std::string name(const std::string& part) const { return (folder / part).string(); }

  std::filesystem::path folder;
  World world;
};

TEST_F(PredictNames, AreAsLogsHaveThem) {
  EXPECT_EQ(World::full_name("/a", "b"), "/a/b");
  EXPECT_EQ(World::full_name("/a/", ".//b/./c"), "/a/b/c");
  EXPECT_EQ(World::full_name("/a", "../b/."), "/a/../b/.");
  EXPECT_EQ(World::full_name("/a", "/c//d/"), "/c/d/");
  EXPECT_EQ(World::full_name("/a", ".hidden"), "/a/.hidden");
  EXPECT_EQ(World::full_name("/a", "<unknown>"), "<unknown>");
}

TEST_F(PredictNames, LeadByDotsAndLinks) {
  EXPECT_EQ(world.real_name(name("link/../link/./file")), name("sub/file"));
  EXPECT_EQ(world.real_name(name("link"), false), name("link"));
  EXPECT_EQ(world.real_name("/../.."), "/");
  world.make_link(name("ring"), "ring");
  EXPECT_FALSE(at("ring").exists);
  EXPECT_EQ(at("link/file").size, 4U);
  at("sub/file").size = 9;
  EXPECT_EQ(at("link/file").size, 9U);
  world.remove(name("link"));
  EXPECT_FALSE(at("link/file").exists);
  EXPECT_TRUE(at("sub/file").exists);
  world.make_link(name("link"), ".");
  EXPECT_EQ(at("link/sub/file").size, 9U);
}

TEST_F(PredictNames, ShareAFileUntilTheLastIsGone) {
  world.join(name("other"), world.file_named(name("sub/file")));
  at("other").size = 50;
  EXPECT_EQ(at("sub/file").size, 50U);
  EXPECT_EQ(world.count_names(at("other")), 2U);
  world.remove(name("sub/file"));
  EXPECT_FALSE(at("sub/file").exists);
  EXPECT_EQ(at("other").size, 50U);
  at("sub/file").exists = true;  // another file
  at("sub/file").size = 1;
  EXPECT_EQ(at("sub/file").size, 1U);
  EXPECT_EQ(at("other").size, 50U);
}

TEST_F(PredictNames, MoveWithTheirFolders) {
  world.rename(name("sub"), name("new"));
  EXPECT_FALSE(at("sub").exists);
  EXPECT_FALSE(at("sub/file").exists);
  EXPECT_TRUE(at("new/file").original);
  EXPECT_EQ(at("new/file").lies, name("sub/file"));
  EXPECT_FALSE(at("link/file").exists);
  const auto entries = entries_of(world, folder.string());
  ASSERT_EQ(entries.size(), 2U);
  EXPECT_EQ(entries[0].kind, EntryKind::kLink);
  EXPECT_EQ(entries[1].name, "new");
}

TEST_F(PredictNames, StayWithWhoeverHasTheFileOpen) {
  const int descriptor = world.open(world.file_named(name("sub/file")));
  world.rename(name("sub/file"), name("moved"));
  world.files[world.at(descriptor)->file].size = 77;
  EXPECT_EQ(at("moved").size, 77U);
  EXPECT_FALSE(at("sub/file").exists);
  EXPECT_EQ(world.files[world.at(descriptor)->file].name, name("sub/file"));  // as logs go on to call it
}

}  // namespace
}  // namespace trikal::predict
