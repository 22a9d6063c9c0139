#include "capture/tables/descriptors.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace trikal::capture {
namespace {

class DescriptorsTest : public testing::Test {
 protected:
  DescriptorsTest() {
    EXPECT_TRUE(arena_.begin({nullptr, 4 << 20}));
    EXPECT_TRUE(table_.begin(arena_));
  }
  OpenFile* open(int fd, Descriptors::Start start = {}) {
    table_.open(fd, start, &record_, &file_);
    return table_.hold(fd).open;
  }
  void share(int fd, int source) { table_.share(fd, table_.hold(source), &record_, elsewhere); }
  static std::int64_t elsewhere(int /*fd*/) noexcept { return 1234; }
  void clear_range(unsigned first, unsigned last) {
    table_.begin_close_range(first, last);
    table_.end_close_range(first, last, true);
  }

  Arena arena_;
  Descriptors table_;
  alignas(16) int record_ = 0;
  alignas(16) int file_ = 0;
};

TEST_F(DescriptorsTest, AreFoundBetweenOpenAndClose) {
  EXPECT_FALSE(table_.hold(3));
  OpenFile* opened = open(3, {.append = true, .offset = 17});
  ASSERT_NE(opened, nullptr);
  EXPECT_EQ(opened->append.load(), 1U);
  EXPECT_EQ(opened->offset.load(), 17);
  EXPECT_EQ(table_.hold(3).as<int>(), &record_);
  EXPECT_EQ(table_.hold(3).slot->file.load(), &file_);
  table_.clear(3);
  EXPECT_FALSE(table_.hold(3));
  table_.clear(3);  // again, and one that never was
  table_.clear(4);
}

TEST_F(DescriptorsTest, NumbersFromNowhereAreIgnored) {
  for (const int fd : {-1, -100, Descriptors::kMost, Descriptors::kMost + 1, 0x7fffffff}) {
    EXPECT_EQ(open(fd), nullptr) << fd;
    table_.clear(fd);
  }
  EXPECT_NE(open(Descriptors::kMost - 1), nullptr);
  EXPECT_EQ(table_.highest(), Descriptors::kMost - 1);
}

TEST_F(DescriptorsTest, ANewOpenBeginsAnew) {
  OpenFile* first = open(3, {.append = true, .offset = 100});
  first->offset = 500;
  table_.clear(3);
  OpenFile* again = open(3);
  EXPECT_EQ(again->offset.load(), 0);
  EXPECT_EQ(again->append.load(), 0U);
  EXPECT_EQ(again->users.load(), 1U);
}

TEST_F(DescriptorsTest, DuplicatesMoveOneOffset) {
  OpenFile* opened = open(3);
  share(10, 3);
  table_.hold(10).open->offset = 42;
  EXPECT_EQ(opened->offset.load(), 42);
  table_.clear(3);
  ASSERT_TRUE(table_.hold(10)) << "the other one stays open";
  OpenFile* other = open(3);
  EXPECT_NE(other, table_.hold(10).open) << "what is in use is not given out";
  other->offset = 7;
  EXPECT_EQ(table_.hold(10).open->offset.load(), 42);
}

TEST_F(DescriptorsTest, Dup2ClosesWhatWasThere) {
  OpenFile* target = open(3);
  OpenFile* source = open(4);
  share(3, 4);
  EXPECT_EQ(table_.hold(3).open, source);
  EXPECT_EQ(source->users.load(), 2U);
  EXPECT_EQ(target->users.load(), 0U);
  // Onto itself, as dup2(3, 3) does.
  share(3, 3);
  EXPECT_EQ(source->users.load(), 2U);
}

TEST_F(DescriptorsTest, AnOpenOfANumberWhoseCloseWasNotSeen) {
  OpenFile* first = open(3);
  OpenFile* second = open(3, {.offset = 5});
  EXPECT_EQ(table_.hold(3).open, second);
  EXPECT_EQ(second->users.load(), 1U);
  EXPECT_EQ(second->offset.load(), 5);
  (void)first;
}

TEST_F(DescriptorsTest, RangesAreClosedAsTheKernelDoes) {
  for (const int fd : {0, 3, 5, 1000}) open(fd);
  clear_range(3, 0xffffffff);
  EXPECT_TRUE(table_.hold(0));
  for (const int fd : {3, 5, 1000}) EXPECT_FALSE(table_.hold(fd)) << fd;
  clear_range(5, 4);
  clear_range(0xfffffff0, 0xffffffff);
  EXPECT_TRUE(table_.hold(0));
}

TEST_F(DescriptorsTest, ManyOpensOfFewNumbersTakeNoMoreMemory) {
  for (int fd = 3; fd < 10; ++fd) open(fd);
  const std::uint64_t used = arena_.header()->used;
  for (int round = 0; round < 100000; ++round) {
    const int fd = 3 + round % 7;
    table_.clear(fd);
    ASSERT_NE(open(fd), nullptr);
  }
  EXPECT_EQ(arena_.header()->used.load(), used);
}

// After a fork, parent and child move one offset; neither gives it away while the other may use it.
TEST_F(DescriptorsTest, AForkedChildSharesOffsetsAndNotRecords) {
  OpenFile* inherited = open(3, {.offset = 9});
  open(5), table_.clear(5);  // a spare of the parent's
  Arena childs;
  ASSERT_TRUE(childs.begin({nullptr, 4 << 20}));
  table_.after_fork_in_child(childs);
  const Held held = table_.hold(3);
  ASSERT_TRUE(held);
  EXPECT_EQ(held.open, inherited);
  EXPECT_TRUE(held.has(kUnresolved) && held.has(kForeign));
  EXPECT_EQ(held.as<int>(), &file_);
  table_.clear(3);
  const auto in_childs = [&](const OpenFile* one) {
    const auto* at = reinterpret_cast<const std::byte*>(one);
    return at >= childs.bytes().data() && at < childs.bytes().data() + childs.bytes().size();
  };
  for (const int fd : {3, 5, 6}) EXPECT_TRUE(in_childs(open(fd))) << fd;
  EXPECT_FALSE(table_.hold(3).has(kForeign));
  EXPECT_EQ(inherited->offset.load(), 9);
}

TEST_F(DescriptorsTest, TheParentDoesNotReuseWhatItsChildHas) {
  OpenFile* before = open(3);
  table_.after_fork_in_parent();
  table_.clear(3);
  for (int fd = 3; fd < 20; ++fd) EXPECT_NE(open(fd), before);
}

TEST_F(DescriptorsTest, WithoutMemoryTheyAreStillWatched) {
  while (arena_.add_chunk({.stride = 4096, .slots = 16}, Arena::Use::kNormal) != nullptr) {
  }
  while (arena_.add_chunk({.stride = 64, .slots = 1}, Arena::Use::kNormal) != nullptr) {
  }
  for (int fd = 3; fd < 1000; ++fd) ASSERT_NE(open(fd), nullptr);
  for (int fd = 3; fd < 1000; ++fd) table_.clear(fd);
  for (int fd = 3; fd < 1000; ++fd) ASSERT_NE(open(fd), nullptr);
}

TEST_F(DescriptorsTest, ACallThatHoldsOneCanTellThatItWasClosed) {
  open(3);
  const Held held = table_.hold(3);
  EXPECT_TRUE(held.is_current());
  table_.clear(3);
  EXPECT_FALSE(held.is_current());
  OpenFile* again = open(3);
  EXPECT_EQ(again, held.open) << "used again: memory is bounded";
  EXPECT_FALSE(held.is_current()) << "and it is not the same";
  EXPECT_EQ(held.as<int>(), &record_) << "what it stood for is still known";
}

TEST_F(DescriptorsTest, OneThatIsBeingClosedIsCountedUntilItIsAnothers) {
  open(3);
  const Closed closed = table_.begin_close(3);
  ASSERT_TRUE(closed);
  EXPECT_TRUE(table_.hold(3)) << "a write may still reach it";
  EXPECT_FALSE(table_.begin_close(3)) << "two threads close it: one of them counts";
  table_.end_close(closed);
  EXPECT_FALSE(table_.hold(3));

  open(3);
  const Closed second = table_.begin_close(3);
  OpenFile* others = open(3, {.offset = 7});  // another thread's, before ours is back from the real call
  table_.end_close(second);
  ASSERT_TRUE(table_.hold(3)) << "the same record, and not ours to forget";
  EXPECT_EQ(table_.hold(3).open, others);
}

TEST_F(DescriptorsTest, ARangeThatCouldNotBeClosedIsWatchedOn) {
  open(3, {.offset = 11}), open(4, {.append = true}), share(5, 4);
  table_.begin_close_range(3, 5);
  table_.end_close_range(3, 5, false);
  for (const int fd : {3, 4, 5}) ASSERT_TRUE(table_.hold(fd)) << fd;
  EXPECT_EQ(table_.hold(3).open->offset.load(), 11);
  EXPECT_EQ(table_.hold(4).open->append.load(), 1U);
  EXPECT_TRUE(table_.begin_close(3)) << "and can be closed";
}

TEST_F(DescriptorsTest, ADuplicateOfWhatWasClosedMeanwhile) {
  open(3, {.offset = 5});
  const Held source = table_.hold(3);
  table_.clear(3);
  table_.share(10, source, &record_, elsewhere);
  ASSERT_TRUE(table_.hold(10));
  EXPECT_EQ(table_.hold(10).open->offset.load(), 1234);
  open(3, {.offset = 6});
  EXPECT_NE(table_.hold(3).open, table_.hold(10).open);
}

TEST_F(DescriptorsTest, NothingIsFoundWhenTheSessionHasEnded) {
  open(3);
  table_.end();
  EXPECT_FALSE(table_.hold(3));
  table_.clear(3);
}

}  // namespace
}  // namespace trikal::capture
