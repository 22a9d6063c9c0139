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
    return table_.find(fd) == nullptr ? nullptr : table_.find(fd)->open;
  }

  Arena arena_;
  Descriptors table_;
  int record_ = 0, file_ = 0;
};

TEST_F(DescriptorsTest, AreFoundBetweenOpenAndClose) {
  EXPECT_EQ(table_.find(3), nullptr);
  OpenFile* opened = open(3, {.append = true, .offset = 17});
  ASSERT_NE(opened, nullptr);
  EXPECT_EQ(opened->append, 1U);
  EXPECT_EQ(opened->offset.load(), 17);
  EXPECT_EQ(table_.find(3)->record, &record_);
  EXPECT_EQ(table_.find(3)->file, &file_);
  table_.clear(3);
  EXPECT_EQ(table_.find(3), nullptr);
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
  EXPECT_EQ(again->append, 0U);
  EXPECT_EQ(again->users, 1U);
}

TEST_F(DescriptorsTest, DuplicatesMoveOneOffset) {
  OpenFile* opened = open(3);
  table_.share(10, opened, &record_, &file_);
  table_.find(10)->open->offset = 42;
  EXPECT_EQ(table_.find(3)->open->offset.load(), 42);
  table_.clear(3);
  ASSERT_NE(table_.find(10), nullptr) << "the other one stays open";
  OpenFile* other = open(3);
  EXPECT_NE(other, table_.find(10)->open) << "what is in use is not given out";
  other->offset = 7;
  EXPECT_EQ(table_.find(10)->open->offset.load(), 42);
}

TEST_F(DescriptorsTest, Dup2ClosesWhatWasThere) {
  OpenFile* target = open(3);
  OpenFile* source = open(4);
  table_.share(3, source, &record_, &file_);
  EXPECT_EQ(table_.find(3)->open, source);
  EXPECT_EQ(source->users, 2U);
  EXPECT_EQ(target->users, 0U);
  // Onto itself, as dup2(3, 3) does.
  table_.share(3, source, &record_, &file_);
  EXPECT_EQ(source->users, 2U);
}

TEST_F(DescriptorsTest, AnOpenOfANumberWhoseCloseWasNotSeen) {
  OpenFile* first = open(3);
  OpenFile* second = open(3, {.offset = 5});
  EXPECT_EQ(table_.find(3)->open, second);
  EXPECT_EQ(second->users, 1U);
  EXPECT_EQ(second->offset.load(), 5);
  (void)first;
}

TEST_F(DescriptorsTest, RangesAreClosedAsTheKernelDoes) {
  for (const int fd : {0, 3, 5, 1000}) open(fd);
  table_.clear_range(3, 0xffffffff);
  EXPECT_NE(table_.find(0), nullptr);
  EXPECT_TRUE(table_.find(3) == nullptr && table_.find(5) == nullptr && table_.find(1000) == nullptr);
  table_.clear_range(5, 4);
  table_.clear_range(0xfffffff0, 0xffffffff);
  EXPECT_NE(table_.find(0), nullptr);
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
  Descriptor* descriptor = table_.find(3);
  ASSERT_NE(descriptor, nullptr);
  EXPECT_EQ(descriptor->open, inherited);
  EXPECT_EQ(descriptor->record, nullptr);
  EXPECT_EQ(descriptor->file, &file_);
  EXPECT_FALSE(table_.is_own(*descriptor));
  table_.clear(3);
  const auto in_childs = [&](const OpenFile* one) {
    const auto* at = reinterpret_cast<const std::byte*>(one);
    return at >= childs.bytes().data() && at < childs.bytes().data() + childs.bytes().size();
  };
  for (const int fd : {3, 5, 6}) EXPECT_TRUE(in_childs(open(fd))) << fd;
  EXPECT_TRUE(table_.is_own(*table_.find(3)));
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

TEST_F(DescriptorsTest, NothingIsFoundWhenTheSessionHasEnded) {
  open(3);
  table_.end();
  EXPECT_EQ(table_.find(3), nullptr);
  table_.clear(3);
}

}  // namespace
}  // namespace trikal::capture
