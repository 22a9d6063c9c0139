// Timers, records that are made on demand and shared when memory is full, errors by file and number.

#include <errno.h>
#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <string>
#include <vector>

#include "capture/records/brief_pool.hpp"
#include "capture/records/common_values.hpp"
#include "capture/records/errors.hpp"
#include "capture/records/record_pool.hpp"
#include "capture/records/timer.hpp"
#include "log/crash/to_log.hpp"
#include "log/crash/values.hpp"
#include "modules/posix/schema.hpp"
#include "schema/record.hpp"

namespace trikal::capture {
namespace {

TEST(Timer, OverlapsCountOnce) {
  double last = 0;
  EXPECT_EQ(added_time({1, 3}, last), 2);
  EXPECT_EQ(added_time({2, 4}, last), 1) << "one second of it was counted";
  EXPECT_EQ(added_time({2.5, 3.5}, last), 0) << "inside of another";
  EXPECT_EQ(last, 4);
  EXPECT_EQ(added_time({5, 5}, last), 0);
  EXPECT_EQ(added_time({6, 5}, last), 0) << "a clock that ran back adds nothing";
  EXPECT_EQ(added_time({4, 6}, last), 2);
}

TEST(Timer, FirstAndLastTakeZeroForNever) {
  EXPECT_EQ(earlier(0, 5), 5);
  EXPECT_EQ(earlier(3, 5), 3);
  EXPECT_EQ(earlier(5, 3), 3);
  EXPECT_EQ(earlier(5, std::numeric_limits<double>::denorm_min()), std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(later(0, 5), 5);
  EXPECT_EQ(later(5, 3), 5);
}

struct Slot {
  Record<modules::posix::kSchema> record;
  std::int64_t own = 0;
};

// The one session there is, in memory of its own for every test.
class RecordsTest : public testing::Test {
 protected:
  void begin(std::size_t cap) {
    session.arena.forget_parents();
    ASSERT_TRUE(session.arena.begin({nullptr, cap}));
    session.arena.header()->magic = log::crash::kMagic;
    session.files.begin_again(session.arena);
  }
  // Records a reader of the map would find, by id.
  static std::map<std::uint64_t, int> ids() {
    std::map<std::uint64_t, int> found;
    const auto map = log::crash::MapView::open(session.arena.bytes());
    log::crash::for_each_record(
        {&*map, 0, 0}, modules::posix::kSchema,
        {[](void* to, Bytes record) {
           ++(*static_cast<std::map<std::uint64_t, int>*>(to))[load<std::uint64_t>(record.data())];
         },
         &found});
    return found;
  }
  static std::map<std::pair<std::uint64_t, std::uint32_t>, std::int64_t> errors_in_map() {
    std::map<std::pair<std::uint64_t, std::uint32_t>, std::int64_t> found;
    log::crash::MapView::open(session.arena.bytes())->for_each_chunk([&](const log::crash::Chunk& chunk, Bytes slots) {
      if (chunk.kind != log::crash::ChunkKind::kErrors) return;
      for (std::size_t at = 0; at < slots.size(); at += sizeof(log::crash::ErrorSlot)) {
        const auto slot = load<log::crash::ErrorSlot>(slots.data() + at);
        found[{slot.id, slot.error}] += slot.count;
      }
    });
    return found;
  }
};

TEST_F(RecordsTest, OneForEachFileFromTheFirstUseOn) {
  begin(16 << 20);
  RecordPool<Slot, modules::posix::kSchema> pool;
  for (int i = 0; i < 3000; ++i) {
    File* file = session.files.find_or_add("/f" + std::to_string(i));
    Slot* slot = pool.make(*file, kPosixSlot);
    ASSERT_NE(slot, nullptr);
    EXPECT_EQ(slot->record.base().id, file->id);
    EXPECT_EQ(slot->own, 0);
    slot->own = 1;
    EXPECT_EQ(pool.make(*file, kPosixSlot), slot);
    EXPECT_EQ(file->records[kPosixSlot].as<void>(), slot);
  }
  const auto found = ids();
  EXPECT_EQ(found.size(), 3000U);
  EXPECT_EQ(session.arena.header()->self.folded.load(), 0U);
}

TEST_F(RecordsTest, WithoutMemoryAllFurtherFilesShareOne) {
  begin(4 << 20);
  RecordPool<Slot, modules::posix::kSchema> pool;
  std::size_t own = 0, shared = 0;
  std::map<Slot*, int> slots;
  for (int i = 0; i < 6000; ++i) {
    File* file = session.files.find_or_add("/f" + std::to_string(i));
    ASSERT_NE(file, nullptr);
    Slot* slot = pool.make(*file, kPosixSlot);
    ASSERT_NE(slot, nullptr);
    ++slots[slot];
    (slot->record.base().id == file->id ? own : shared) += 1;
  }
  EXPECT_GT(own, 100U);
  EXPECT_GT(shared, 100U);
  EXPECT_EQ(slots.size(), own + 1) << "one stands for all the others on the mount";
  const auto told = static_cast<double>(session.arena.header()->self.folded.load());
  EXPECT_NEAR(told, static_cast<double>(shared), static_cast<double>(shared) / 100) << "each counts once, about";
  EXPECT_EQ(ids().size(), own + 1);
}

TEST_F(RecordsTest, AModuleThatIsOffMakesNone) {
  begin(4 << 20);
  RecordPool<Slot, modules::posix::kSchema> pool;
  File* file = session.files.find_or_add("/f");
  session.config.modules_off = ~std::uint64_t{0};
  EXPECT_EQ(pool.make(*file, kPosixSlot), nullptr);
  session.config.modules_off = 0;
  EXPECT_NE(pool.make(*file, kPosixSlot), nullptr);
}

TEST_F(RecordsTest, AForkedChildBeginsChunksOfItsOwn) {
  begin(4 << 20);
  RecordPool<Slot, modules::posix::kSchema> pool;
  Slot* parents = pool.make(*session.files.find_or_add("/f"), kPosixSlot);
  begin(4 << 20);
  pool.after_fork();
  Slot* childs = pool.make(*session.files.find_or_add("/f"), kPosixSlot);
  EXPECT_NE(parents, childs);
  EXPECT_EQ(ids().size(), 1U);
}

struct Brief {
  BriefRecord<modules::posix::kSchema> record;
  Spin lock;
  Brief* next_free = nullptr;
};
struct Whole {
  LiveRecord<modules::posix::kSchema> record;
};

TEST_F(RecordsTest, ABriefOneMovesIntoTheWholeAndServesAnotherFile) {
  begin(4 << 20);
  BriefPool<Brief, modules::posix::kSchema> briefs;
  RecordPool<Whole, modules::posix::kSchema> wholes;
  File* one = session.files.find_or_add("/one");
  Brief* brief = briefs.make(*one, kPosixBriefSlot);
  ASSERT_NE(brief, nullptr);
  EXPECT_EQ(briefs.make(*one, kPosixBriefSlot), brief);
  brief->record.at<"POSIX_OPENS">() = 7;
  EXPECT_TRUE(is_about(*brief, *one));
  EXPECT_EQ(ids().size(), 1U);
  bool told = false;
  Whole* whole = wholes.make(*one, kPosixSlot, [&](Whole& fresh) {
    return Absorbing<Brief, modules::posix::kSchema>(briefs, brief, fresh, [&](Brief&) { told = true; });
  });
  ASSERT_NE(whole, nullptr);
  EXPECT_TRUE(told);
  EXPECT_EQ(whole->record.at<"POSIX_OPENS">(), 7);
  EXPECT_FALSE(is_about(*brief, *one));
  EXPECT_EQ(ids(), (std::map<std::uint64_t, int>{{one->id, 1}})) << "once";
  File* two = session.files.find_or_add("/two");
  EXPECT_EQ(briefs.make(*two, kPosixBriefSlot), brief) << "used again";
  EXPECT_EQ(brief->record.at<"POSIX_OPENS">(), 0);
  EXPECT_TRUE(is_about(*brief, *two));
  EXPECT_FALSE(is_about(*brief, *one));
  EXPECT_EQ(ids().size(), 2U);
}

TEST_F(RecordsTest, WithoutMemoryThereAreNoBriefOnes) {
  begin(1 << 20);
  BriefPool<Brief, modules::posix::kSchema> briefs;
  std::size_t made = 0;
  File* file = nullptr;
  for (int i = 0; i < 20000; ++i) {
    file = session.files.find_or_add("/f" + std::to_string(i));
    if (file == nullptr || briefs.make(*file, kPosixBriefSlot) == nullptr) break;
    ++made;
  }
  EXPECT_GT(made, 100U);
  EXPECT_LT(made, 20000U);
  EXPECT_EQ(ids().size(), made);
  EXPECT_EQ(session.arena.header()->self.folded.load(), 0U) << "nothing is folded: the whole record's pool does that";
}

TEST_F(RecordsTest, ErrorsAreCountedByFileAndNumber) {
  begin(4 << 20);
  Errors errors_;
  File* file = session.files.find_or_add("/f");
  for (int i = 0; i < 3; ++i) errors_.count(1, file, ENOENT);
  errors_.count(1, file, EIO);
  errors_.count(1, nullptr, ENOENT);
  errors_.count(9, file, EIO);
  const auto found = errors_in_map();
  EXPECT_EQ(found.size(), 3U);
  EXPECT_EQ(found.at({file->id, ENOENT}), 3);
  EXPECT_EQ(found.at({file->id, EIO}), 2) << "of two modules";
  EXPECT_EQ(found.at({0, ENOENT}), 1);
}

TEST_F(RecordsTest, ErrorsOnMoreFilesThanAreFollowedAreStillCounted) {
  begin(16 << 20);
  Errors errors_;
  constexpr int kFiles = 5000;
  for (int i = 0; i < kFiles; ++i) errors_.count(1, session.files.find_or_add("/f" + std::to_string(i)), EACCES);
  std::int64_t all = 0;
  for (const auto& [key, count] : errors_in_map()) all += count;
  EXPECT_EQ(all, kFiles);
  EXPECT_EQ(errors_in_map().at({0, EACCES}), kFiles - 3072);
  EXPECT_EQ(session.arena.header()->self.missed.load(), 0U);
}

TEST_F(RecordsTest, ErrorsWithoutMemoryAreMissedNotLost) {
  begin(1 << 18);
  while (session.arena.add_chunk({.stride = 64, .slots = 8}, Arena::Use::kReserve) != nullptr) {
  }
  Errors errors_;
  for (int i = 0; i < 7; ++i) errors_.count(1, nullptr, EIO);
  EXPECT_EQ(session.arena.header()->self.missed.load(), 7U);
}

// The tables of sizes that four slots are too few for: in the map for as long as it has space, and else beside it.
TEST_F(RecordsTest, TablesOfValuesAreInTheMap) {
  begin(std::size_t{1} << 20);
  const auto tables = [] {
    std::map<std::uint64_t, std::vector<std::int64_t>> found;
    const auto map = log::crash::MapView::open(session.arena.bytes());
    log::crash::for_each_values(*map, modules::posix::kSchema, [&](const log::crash::MapValues& values) {
      log::crash::MapValues::Rows rows;  // NOLINT: filled right below
      const ValueTable table = values.table(rows);
      EXPECT_EQ(values.counter(), 3U);
      found[values.id()].assign(table.rows, table.rows + 2 * table.size);
    });
    return found;
  };
  std::int64_t values[4] = {}, counts[4] = {};
  CommonValues sizes;
  for (const std::int64_t value : {0, 4, 3, 2, 1})
    sizes.count(value, values, counts, {77, modules::posix::kSchema.id, 3});
  EXPECT_TRUE(tables().empty());
  sizes.count(5, values, counts, {77, modules::posix::kSchema.id, 3});
  sizes.count(5, values, counts, {77, modules::posix::kSchema.id, 3});
  EXPECT_EQ(tables()[77], (std::vector<std::int64_t>{1, 1, 2, 1, 3, 1, 4, 1, 5, 2}));
  std::size_t files = 1;
  for (; files < 3000; ++files) {
    std::int64_t own_values[4] = {}, own_counts[4] = {};
    CommonValues own;
    for (std::int64_t value = 1; value < 8; ++value)
      own.count(value, own_values, own_counts, {1000 + files, modules::posix::kSchema.id, 3});
    EXPECT_EQ(own_values[0], 7);
  }
  EXPECT_GT(tables().size(), 500U);
  EXPECT_LT(tables().size(), files) << "a map of a megabyte has no space for all";
}

}  // namespace
}  // namespace trikal::capture
