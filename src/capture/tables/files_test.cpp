#include "capture/tables/files.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "base/hash.hpp"
#include "capture/tables/recent_files.hpp"
#include "log/crash/view.hpp"

namespace trikal::capture {
namespace {

class FilesTest : public testing::Test {
 protected:
  void begin(std::size_t cap) {
    ASSERT_TRUE(arena_.begin({nullptr, cap}));
    arena_.header()->magic = log::crash::kMagic;
    files_.begin(arena_);
  }
  // What a reader of the map finds.
  std::map<std::string, std::uint64_t> names() {
    std::map<std::string, std::uint64_t> found;
    log::crash::MapView::open(arena_.bytes())->for_each_chunk([&](const log::crash::Chunk& chunk, Bytes slots) {
      if (chunk.kind != log::crash::ChunkKind::kNames) return;
      log::crash::for_each_name(slots, [&](std::uint64_t id, std::string_view name) {
        EXPECT_TRUE(found.emplace(name, id).second) << "twice: " << name;
      });
    });
    return found;
  }
  Arena arena_;
  Files files_;
};

TEST_F(FilesTest, OneNameIsOneFileHoweverManyThereAre) {
  begin(64 << 20);
  std::map<std::string, File*> made;
  for (int i = 0; i < 20000; ++i) {
    const std::string name = "/data/" + std::to_string(i);
    made[name] = files_.find_or_add(name);
    ASSERT_NE(made[name], nullptr);
  }
  for (const auto& [name, file] : made) {
    EXPECT_EQ(files_.find_or_add(name), file);
    EXPECT_EQ(files_.find(record_id(name)), file);
    EXPECT_EQ(file->text(), name);
    EXPECT_EQ(file->id, record_id(name));
  }
  const auto kept = names();
  EXPECT_EQ(kept.size(), made.size());
  EXPECT_EQ(kept.at("/data/19999"), record_id("/data/19999"));
  EXPECT_EQ(files_.find(record_id("/data/never")), nullptr);
}

TEST_F(FilesTest, OddNamesAreKeptByteForByte) {
  begin(4 << 20);
  const std::string names_[] = {"", "/\n\t\x01\xff\xfe", std::string("/a\0b", 4), "/" + std::string(8191, 'x')};
  for (const std::string& name : names_) EXPECT_EQ(files_.find_or_add(name)->text(), name);
  const auto kept = names();
  for (const std::string& name : names_) EXPECT_EQ(kept.count(name), 1U);
}

TEST_F(FilesTest, NamesBeyondTheLongestAreCutButNotTakenForEachOther) {
  begin(4 << 20);
  const std::string common = "/" + std::string(9000, 'x');
  File* one = files_.find_or_add(common + "1");
  File* two = files_.find_or_add(common + "2");
  ASSERT_NE(one, two);
  EXPECT_EQ(one->text(), common.substr(0, 8192));
  EXPECT_EQ(files_.find_or_add(common + "1"), one);
  EXPECT_NE(one->id, two->id);
}

TEST_F(FilesTest, AFullArenaSaysSoAndHasSpaceForAStandIn) {
  begin(2 << 20);
  std::size_t count = 0;
  const auto name = [](std::size_t i) { return "/some/longer/name/of/a/file/" + std::to_string(i); };
  while (files_.find_or_add(name(count)) != nullptr) ++count;
  EXPECT_GT(count, 10000U);
  EXPECT_EQ(files_.find_or_add("/new"), nullptr);
  EXPECT_NE(files_.find_or_add(name(0)), nullptr) << "known ones stay known";
  File* stand_in = files_.find_or_add_reserved("<other files on />");
  ASSERT_NE(stand_in, nullptr);
  EXPECT_EQ(files_.find_or_add("<other files on />"), stand_in);
}

TEST_F(FilesTest, AForkedChildKnowsNone) {
  begin(4 << 20);
  File* parents = files_.find_or_add("/a");
  Arena childs;
  ASSERT_TRUE(childs.begin({nullptr, 4 << 20}));
  files_.begin_again(childs);
  EXPECT_EQ(files_.find(record_id("/a")), nullptr);
  File* own = files_.find_or_add("/a");
  EXPECT_NE(own, parents);
  EXPECT_EQ(own->id, parents->id);
}

TEST(RecentFiles, AreFoundByTheirWholeName) {
  RecentFiles recent;
  const std::string long_name = "/one/directory/file-000001", twin = "/two/directory/file-000001";
  File one{.id = 1, .name = long_name.data(), .name_bytes = static_cast<std::uint32_t>(long_name.size())};
  EXPECT_EQ(recent.find(long_name), nullptr);
  recent.add(&one);
  EXPECT_EQ(recent.find(long_name), &one);
  EXPECT_EQ(recent.find(twin), nullptr) << "ends alike, as long";
  File other{.id = 2, .name = twin.data(), .name_bytes = static_cast<std::uint32_t>(twin.size())};
  recent.add(&other);
  EXPECT_EQ(recent.find(twin), &other);
  EXPECT_EQ(recent.find(long_name), nullptr) << "its slot was taken";
  recent.forget();
  EXPECT_EQ(recent.find(twin), nullptr);
  EXPECT_EQ(recent.find(""), nullptr);
}

}  // namespace
}  // namespace trikal::capture
