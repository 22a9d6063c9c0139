// Calls by call site, file and operation, in a map.

#include "capture/records/call_sites.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <thread>
#include <vector>

#include "log/crash/notes.hpp"

namespace trikal::capture {
namespace {

using log::crash::ChunkKind;
using log::crash::MapView;
using log::crash::ObjectSlot;
using log::crash::SiteSlot;

class CallSitesTest : public ::testing::Test {
 protected:
  static void begin(std::size_t memory) {
    session.arena.forget_parents();
    ASSERT_TRUE(session.arena.begin({nullptr, memory}));
    session.arena.header()->magic = log::crash::kMagic;
  }
  ~CallSitesTest() override { caller = nullptr; }

  static std::vector<SiteSlot> slots() {
    std::vector<SiteSlot> all;
    log::crash::for_each_note<SiteSlot>(*MapView::open(session.arena.bytes()), ChunkKind::kSites,
                                        [&](const SiteSlot& slot) {
                                          if (slot.count > 0) all.push_back(slot);
                                        });
    return all;
  }
  static std::string object_of(const SiteSlot& site) {
    std::string path;
    log::crash::for_each_note<ObjectSlot>(*MapView::open(session.arena.bytes()), ChunkKind::kObjects,
                                          [&](const ObjectSlot& slot) {
                                            if (slot.number == site.object) path.assign(slot.path, slot.path_bytes);
                                          });
    return path;
  }
};

const void* here(std::size_t offset) {
  return reinterpret_cast<const std::byte*>(reinterpret_cast<std::uintptr_t>(&here)) + offset;
}

TEST_F(CallSitesTest, AreAFileAndAnOffsetInIt) {
  begin(4 << 20);
  CallSites sites;
  caller = here(5);
  sites.hear({Operation::kWrite, 11, {1, 3}, Event::kNoOffset, 100});
  sites.hear({Operation::kWrite, 11, {3, 4}, Event::kNoOffset, 50});
  const auto found = slots();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].count, 2);
  EXPECT_EQ(found[0].bytes, 150);
  EXPECT_DOUBLE_EQ(found[0].seconds, 3);
  EXPECT_TRUE(object_of(found[0]).ends_with("capture-test")) << object_of(found[0]);
  caller = here(9);
  sites.hear({Operation::kWrite, 11, {1, 1}, Event::kNoOffset, 0});
  ASSERT_EQ(slots().size(), 2U);
  EXPECT_EQ(slots()[1].offset, found[0].offset + 4);
}

TEST_F(CallSitesTest, AreToldApartByFileAndOperation) {
  begin(4 << 20);
  CallSites sites;
  caller = here(5);
  for (const std::uint64_t file : {1, 2, 1}) {
    for (const auto operation : {Operation::kRead, Operation::kOpen})
      sites.hear({operation, file, {0, 1}, Event::kNoOffset, 1});
  }
  std::map<std::pair<std::uint64_t, std::uint32_t>, std::int64_t> counts;
  for (const SiteSlot& slot : slots()) counts[{slot.id, slot.operation}] += slot.count;
  EXPECT_EQ(counts.size(), 4U);
  EXPECT_EQ((counts[{1, static_cast<std::uint32_t>(Operation::kRead)}]), 2);
}

TEST_F(CallSitesTest, LibrariesHaveTheirOwnOffsets) {
  begin(4 << 20);
  CallSites sites;
  caller = reinterpret_cast<const void*>(&::getenv);
  sites.hear({Operation::kRead, 1, {0, 1}, Event::kNoOffset, 1});
  ASSERT_EQ(slots().size(), 1U);
  EXPECT_NE(object_of(slots()[0]).find("libc.so"), std::string::npos) << object_of(slots()[0]);
  EXPECT_LT(slots()[0].offset, 1U << 30U);
}

TEST_F(CallSitesTest, OutsideOfAnyFileAreTheAddress) {
  begin(4 << 20);
  CallSites sites;
  std::vector<std::byte> heap(1);
  caller = heap.data();
  for (int i = 0; i < 3; ++i) sites.hear({Operation::kRead, 1, {0, 1}, Event::kNoOffset, 1});
  caller = nullptr;
  sites.hear({Operation::kRead, 1, {0, 1}, Event::kNoOffset, 1});
  const auto found = slots();
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].object, SiteSlot::kUnknown);
  EXPECT_EQ(found[0].offset, reinterpret_cast<std::uintptr_t>(heap.data()));
  EXPECT_EQ(found[0].count, 3);
  EXPECT_EQ(found[1].offset, 0U);
}

TEST_F(CallSitesTest, BeyondTheTableAreCountedTogether) {
  begin(8 << 20);
  CallSites sites;
  caller = here(5);
  constexpr std::uint64_t kFiles = CallSites::kMost + 100;
  for (std::uint64_t file = 1; file <= kFiles; ++file)
    sites.hear({Operation::kWrite, file, {0, 1}, Event::kNoOffset, 2});
  const auto found = slots();
  EXPECT_EQ(found.size(), CallSites::kMost + 1);
  EXPECT_EQ(found[0].object, SiteSlot::kTableFull);
  EXPECT_EQ(found[0].count, 100);
  EXPECT_EQ(found[0].bytes, 200);
  EXPECT_EQ(found[0].id, 0U);
}

TEST_F(CallSitesTest, OfAModulesOwnOperationBeyondTheTableAreCountedTogether) {
  begin(8 << 20);
  CallSites sites;
  caller = here(5);
  const Operation own = log::crash::operation_of_module(63, 2);
  constexpr std::uint64_t kFiles = CallSites::kMost + 100;
  for (std::uint64_t file = 1; file <= kFiles; ++file) sites.hear({own, file, {0, 1}, Event::kNoOffset, 2});
  std::int64_t rest = 0, all = 0;
  for (const SiteSlot& slot : slots()) {
    EXPECT_EQ(slot.operation, static_cast<std::uint32_t>(own));
    all += slot.count;
    if (slot.object == SiteSlot::kTableFull) rest += slot.count;
  }
  EXPECT_EQ(rest, 100);
  EXPECT_EQ(all, static_cast<std::int64_t>(kFiles));
  const auto map = MapView::open(session.arena.bytes());
  EXPECT_EQ(log::crash::operation_name(*map, own).interface, "TEMPLATE");
  forget_named_operations();
}

TEST_F(CallSitesTest, WithoutMemoryAreMissedNotLost) {
  begin(1 << 18);
  while (session.arena.add_chunk({.stride = 64, .slots = 8}, Arena::Use::kReserve) != nullptr) {
  }
  CallSites sites;
  for (int i = 0; i < 7; ++i) sites.hear({Operation::kWrite, 1, {0, 1}, Event::kNoOffset, 2});
  EXPECT_EQ(session.arena.header()->self.missed.load(), 7U);
}

TEST_F(CallSitesTest, OfThreadsAddUp) {
  begin(4 << 20);
  CallSites sites;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&sites, i] {
      caller = here(static_cast<std::size_t>(5 + i % 2));
      for (int n = 0; n < 2000; ++n) sites.hear({Operation::kWrite, 1, {0, 1}, Event::kNoOffset, 3});
    });
  }
  for (std::thread& thread : threads) thread.join();
  const auto found = slots();
  ASSERT_EQ(found.size(), 2U);
  for (const SiteSlot& slot : found) EXPECT_EQ(slot.count, 4000);
}

TEST_F(CallSitesTest, AForkedChildBeginsAnew) {
  begin(4 << 20);
  CallSites sites;
  caller = here(5);
  sites.hear({Operation::kWrite, 1, {0, 1}, Event::kNoOffset, 3});
  begin(4 << 20);
  sites.after_fork();
  sites.hear({Operation::kWrite, 1, {0, 1}, Event::kNoOffset, 3});
  const auto found = slots();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].count, 1);
  EXPECT_FALSE(object_of(found[0]).empty()) << "the child's own map names the object";
}

TEST_F(CallSitesTest, ObjectsAreLookedForAgainAfterMoreWereLoaded) {
  begin(4 << 20);
  CallSites sites;
  caller = here(5);
  sites.hear({Operation::kWrite, 1, {0, 1}, Event::kNoOffset, 3});
  sites.objects_changed();
  sites.hear({Operation::kWrite, 1, {0, 1}, Event::kNoOffset, 3});
  const auto found = slots();
  ASSERT_EQ(found.size(), 1U) << "the same object keeps its number";
  EXPECT_EQ(found[0].count, 2);
}

}  // namespace
}  // namespace trikal::capture
