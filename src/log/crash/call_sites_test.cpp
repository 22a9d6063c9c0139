// Slots of call sites, good and bad, as the rows of the trailer.

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "log/crash/call_sites.hpp"
#include "log/read/reader.hpp"
#include "log/write/tool_writer.hpp"
#include "support/map_builder.hpp"

namespace trikal::log::crash {
namespace {

using trikal::testing::MapBuilder;
using trikal::testing::slot_bytes;

class CallSitesTest : public ::testing::Test {
 protected:
  CallSitesTest() {
    std::string pattern = ::testing::TempDir() + "trikal-sites-XXXXXX";
    folder_ = ::mkdtemp(pattern.data());
  }
  ~CallSitesTest() override { std::filesystem::remove_all(folder_); }

  // The rows that a map gives, as text.
  std::vector<std::vector<std::string>> rows_of(MapBuilder& map, const SiteNames& names = {}) {
    const auto view = MapView::open(map.bytes());
    const Process process{&*view, 3, 0};
    auto tool = ToolWriter::create(folder_ + "/log", {.replace = true});
    Writer& writer = (*tool)->writer();
    EXPECT_TRUE(writer.put_job({}, {.metadata = "", .exe = "app", .mounts = {}}));
    EXPECT_TRUE(writer.begin_names().ok() && writer.end_region().ok());
    EXPECT_TRUE(put_sites(*writer.trailer(), {&process, 1}, names).ok());
    EXPECT_TRUE(writer.finish(0).ok());
    auto reader = Reader::open(std::move(*open_file(folder_ + "/log")));
    const Section* section = (*reader)->trailer()->find("sites");
    std::vector<std::vector<std::string>> all;
    if (section == nullptr) return all;
    auto rows = (*reader)->trailer()->rows(*section);
    std::span<const Cell> cells;
    while (*(*rows)->next(cells)) {
      all.emplace_back();
      for (const Cell& cell : cells) all.back().push_back(text_of(cell));
    }
    return all;
  }

 private:
  static std::string text_of(const Cell& cell) {
    switch (cell.type) {
      case ColumnType::kI64: return std::to_string(cell.i64());
      case ColumnType::kU64: return std::to_string(cell.u64());
      case ColumnType::kF64: return std::to_string(cell.f64());
      default: return std::string(cell.text);
    }
  }
  std::string folder_;
};

constexpr auto kWrite = static_cast<std::uint32_t>(Operation::kWrite);

ObjectSlot object(std::uint64_t number, std::string_view path) {
  ObjectSlot slot;
  slot.number = number;
  slot.path_bytes = static_cast<std::uint32_t>(path.size());
  std::memcpy(slot.path, path.data(), path.size());
  slot.build_bytes = 2;
  slot.build[0] = 0xab, slot.build[1] = 0x01;
  return slot;
}

SiteName name_everything(void* seen, std::string_view path, std::string_view build, std::uint64_t offset) {
  *static_cast<std::string*>(seen) = std::string(path) + " " + std::string(build) + " " + std::to_string(offset);
  return {"solve", "/src/solver.c", 120};
}

TEST_F(CallSitesTest, HaveTheNamesThatSomebodyKnows) {
  MapBuilder map;
  map.add_one(ChunkKind::kObjects, 0, slot_bytes(object(7, "/bin/app")));
  map.add_one(ChunkKind::kSites, 0, slot_bytes(SiteSlot{7, 4660, 11, kWrite, 0, 5, 500, 0.25}));
  std::string seen;
  const auto rows = rows_of(map, {name_everything, &seen});
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(seen, "/bin/app ab01 4660");
  const std::vector<std::string> row = {"11",   "3",     rows[0][2],      "POSIX",    "write",
                                        "5",    "500",   "0.250000",      "/bin/app", "ab01",
                                        "4660", "solve", "/src/solver.c", "120",      ""};
  EXPECT_EQ(rows[0], row);
}

TEST_F(CallSitesTest, NameWhatStandsBetween) {
  MapBuilder map;
  map.add_one(ChunkKind::kObjects, 0, slot_bytes(object(7, "/bin/app")));
  map.add_one(ChunkKind::kObjects, 0, slot_bytes(object(8, "/usr/lib/libinner.so")));
  map.add_one(ChunkKind::kObjects, 0, slot_bytes(object(9, "/usr/lib/libouter.so")));
  StackSlot stack;
  stack.number = 3, stack.depth = 4;
  stack.frames[0] = {8, 16}, stack.frames[1] = {8, 32}, stack.frames[2] = {9, 48}, stack.frames[3] = {77, 1};
  map.add_one(ChunkKind::kStacks, 0, slot_bytes(stack));
  map.add_one(ChunkKind::kSites, 0, slot_bytes(SiteSlot{7, 4660, 11, kWrite, 3, 5, 500, 0.25}));
  const auto rows = rows_of(map);
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0][14], "libinner.so < libouter.so");
  std::string seen;
  EXPECT_EQ(rows_of(map, {name_everything, &seen})[0][14], "libinner.so (solve) < libouter.so (solve)");
}

TEST_F(CallSitesTest, AreLinesOfScripts) {
  MapBuilder map;
  ScriptSlot script;
  script.number = 2, script.line = 12;
  script.path_bytes = 11, script.function_bytes = 4;
  std::memcpy(script.path, "/src/app.py", 11), std::memcpy(script.function, "main", 4);
  map.add_one(ChunkKind::kScripts, 0, slot_bytes(script));
  map.add_one(ChunkKind::kSites, 0, slot_bytes(SiteSlot{SiteSlot::kScript | 2, 0, 11, kWrite, 0, 1, 1, 0}));
  map.add_one(ChunkKind::kSites, 0, slot_bytes(SiteSlot{SiteSlot::kScript | 99, 0, 11, kWrite, 0, 1, 1, 0}));
  const auto rows = rows_of(map);
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0][8], "/src/app.py");
  EXPECT_EQ(rows[0][11], "main");
  EXPECT_EQ(rows[0][12], "/src/app.py");
  EXPECT_EQ(rows[0][13], "12");
  EXPECT_EQ(rows[1][13], "0") << "a script that is not there";
}

TEST_F(CallSitesTest, WildStacksAndScriptsAreCut) {
  MapBuilder map;
  StackSlot stack;
  stack.number = 3, stack.depth = UINT32_MAX;
  for (auto& frame : stack.frames) frame = {StackSlot::kScript | 2, UINT32_MAX};
  ScriptSlot script;
  script.number = 2, script.path_bytes = UINT32_MAX, script.function_bytes = UINT32_MAX;
  std::fill_n(script.path, ScriptSlot::kPathBytes, 'p');
  std::fill_n(script.function, ScriptSlot::kFunctionBytes, 'f');
  map.add_one(ChunkKind::kStacks, 0, slot_bytes(stack));
  map.add_one(ChunkKind::kScripts, 0, slot_bytes(script));
  map.add_one(ChunkKind::kSites, 0, slot_bytes(SiteSlot{SiteSlot::kScript | 2, 0, 11, kWrite, 3, 1, 1, 0}));
  const auto rows = rows_of(map);
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0][8], std::string(ScriptSlot::kPathBytes, 'p'));
  EXPECT_EQ(rows[0][14],
            std::string(ScriptSlot::kPathBytes, 'p') + " (" + std::string(ScriptSlot::kFunctionBytes, 'f') + ")");
}

TEST_F(CallSitesTest, SayWhyThereIsNone) {
  MapBuilder map;
  map.add_one(ChunkKind::kSites, 0, slot_bytes(SiteSlot{SiteSlot::kTableFull, 0, 0, kWrite, 0, 1, 0, 0}));
  map.add_one(ChunkKind::kSites, 0, slot_bytes(SiteSlot{SiteSlot::kUnknown, 0, 11, kWrite, 0, 1, 0, 0}));
  map.add_one(ChunkKind::kSites, 0, slot_bytes(SiteSlot{SiteSlot::kUnknown, 99, 11, kWrite, 0, 1, 0, 0}));
  std::string seen;
  const auto rows = rows_of(map, {name_everything, &seen});
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[0][8], "<no space for more call sites>");
  EXPECT_EQ(rows[1][8], "<inlined by the compiler>");
  EXPECT_EQ(rows[2][8], "<code outside of any file>");
  EXPECT_EQ(seen, "") << "nobody is asked for a name where there is no object";
}

TEST_F(CallSitesTest, ThatCannotBeAreLeftOut) {
  MapBuilder map;
  constexpr std::uint32_t kNobodys = kOperations;
  for (const SiteSlot& slot : {SiteSlot{1, 1, 1, kWrite, 0, 0, 0, 0}, SiteSlot{1, 1, 1, kWrite, 0, -1, 0, 0},
                               SiteSlot{1, 1, 1, kWrite, 0, 1, -1, 0}, SiteSlot{1, 1, 1, kNobodys, 0, 1, 0, 0},
                               SiteSlot{1, 1, 1, UINT32_MAX, 0, 1, 0, 0}, SiteSlot{1, 1, 1, kWrite, 0, 1, 0, NAN}})
    map.add_one(ChunkKind::kSites, 0, slot_bytes(slot));
  EXPECT_TRUE(rows_of(map).empty());
}

TEST_F(CallSitesTest, AnObjectThatLiesAboutItsLengthIsCut) {
  MapBuilder map;
  ObjectSlot wild = object(7, std::string(ObjectSlot::kPathBytes, 'x'));
  wild.path_bytes = UINT32_MAX, wild.build_bytes = UINT32_MAX;
  map.add_one(ChunkKind::kObjects, 0, slot_bytes(wild));
  map.add_one(ChunkKind::kSites, 0, slot_bytes(SiteSlot{7, 1, 1, kWrite, 0, 1, 0, 0}));
  const auto rows = rows_of(map);
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0][8], std::string(ObjectSlot::kPathBytes, 'x'));
  EXPECT_EQ(rows[0][9].size(), 2 * ObjectSlot::kBuildBytes);
}

TEST(Operations, EachHasAWordAndNoTwoShareOne) {
  std::vector<std::string_view> words;
  for (std::uint32_t i = 0; i < kOperations; ++i) {
    words.push_back(word_of(Operation{i}));
    EXPECT_FALSE(words.back().empty());
    EXPECT_FALSE(interface_of(Operation{i}).empty());
  }
  std::ranges::sort(words);
  EXPECT_EQ(std::ranges::adjacent_find(words), words.end());
}

}  // namespace
}  // namespace trikal::log::crash
