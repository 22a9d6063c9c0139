#include "predict/machine/memory.hpp"

#include <gtest/gtest.h>

namespace trikal::predict {
namespace {

constexpr Cause kWhy = 7, kOther = 8;

TEST(PredictMemory, WhatWasNeverWrittenIsZero) {
  const Memory memory;
  EXPECT_EQ(memory.load(12345, 8), Value::of(Word{0}));
  EXPECT_TRUE(memory.untouched(12345));
}

TEST(PredictMemory, KeepsWordsAcrossPages) {
  Memory memory;
  const Word edge = Memory::kPageBytes - 3;
  memory.store(edge, 8, Value::of(Word{0x1122334455667788}));
  EXPECT_EQ(memory.load(edge, 8), Value::of(Word{0x1122334455667788}));
  EXPECT_EQ(memory.load(edge + 4, 2), Value::of(Word{0x3344}));
}

TEST(PredictMemory, OneUnknownByteMakesAWordUnknown) {
  Memory memory;
  memory.store(64, 8, Value::of(Word{5}));
  memory.forget(70, 1, kWhy);
  EXPECT_EQ(memory.load(64, 8), Value::unknown(kWhy));
  EXPECT_EQ(memory.load(64, 4), Value::of(Word{5}));
  memory.store(70, 1, Value::of(Word{0}));
  EXPECT_EQ(memory.load(64, 8), Value::of(Word{5}));
}

TEST(PredictMemory, ForgetsTerabytesAtOnce) {
  Memory memory;
  memory.store(Word{1} << 40, 8, Value::of(Word{9}));
  memory.forget((Word{1} << 40) + 8, Word{1} << 42, kWhy);
  EXPECT_EQ(memory.load(Word{1} << 40, 8), Value::of(Word{9}));
  EXPECT_EQ(memory.load((Word{1} << 40) + 8, 8), Value::unknown(kWhy));
  EXPECT_EQ(memory.load((Word{1} << 41) + 4096, 4), Value::unknown(kWhy));
  EXPECT_TRUE(memory.load((Word{1} << 40) + 8 + (Word{1} << 42), 1).known());
}

TEST(PredictMemory, TextEndsAtItsNul) {
  Memory memory;
  memory.write(100, "hello", 6);
  std::string text;
  EXPECT_TRUE(memory.text(100, text));
  EXPECT_EQ(text, "hello");
  memory.forget(103, 1, kWhy);
  Cause cause = kKnown;
  EXPECT_FALSE(memory.text(100, text, &cause));
  EXPECT_EQ(cause, kWhy);
}

TEST(PredictMemory, CopiesWhatIsNotKnownAsNotKnown) {
  Memory memory;
  memory.store(0, 8, Value::of(Word{0x0807060504030201}));
  memory.forget(2, 1, kWhy);
  memory.copy(1, 0, 8);  // over itself
  EXPECT_EQ(memory.load(1, 2), Value::of(Word{0x0201}));
  EXPECT_EQ(memory.load(3, 1), Value::unknown(kWhy));
  EXPECT_EQ(memory.load(4, 1), Value::of(Word{4}));
}

TEST(PredictMemory, TakesWritesBack) {
  Memory memory;
  memory.store(8, 8, Value::of(Word{1}));
  const std::size_t journal = memory.begin_journal();
  memory.store(8, 8, Value::of(Word{2}));
  memory.store(1 << 20, 8, Value::of(Word{3}));
  const Memory::Pages pages = memory.roll_back(journal);
  EXPECT_EQ(memory.load(8, 8), Value::of(Word{1}));
  EXPECT_TRUE(memory.untouched(1 << 20));
  memory.adopt(pages);
  EXPECT_EQ(memory.load(8, 8), Value::of(Word{2}));
  EXPECT_EQ(memory.load(1 << 20, 8), Value::of(Word{3}));
}

TEST(PredictMemory, JournalsNest) {
  Memory memory;
  memory.store(0, 8, Value::of(Word{1}));
  const std::size_t outer = memory.begin_journal();
  memory.store(0, 8, Value::of(Word{2}));
  const std::size_t inner = memory.begin_journal();
  memory.store(0, 8, Value::of(Word{3}));
  memory.adopt(memory.roll_back(inner));
  EXPECT_EQ(memory.load(0, 8), Value::of(Word{3}));
  (void)memory.roll_back(outer);
  EXPECT_EQ(memory.load(0, 8), Value::of(Word{1}));
}

TEST(PredictMemory, TwoWaysMeetWhereTheyAgree) {
  Memory memory;
  memory.store(0, 8, Value::of(Word{1}));
  std::size_t journal = memory.begin_journal();
  memory.store(0, 8, Value::of(Word{5}));
  memory.store(8, 8, Value::of(Word{6}));
  const Memory::Pages one = memory.roll_back(journal);
  journal = memory.begin_journal();
  memory.store(0, 8, Value::of(Word{5}));
  memory.store(16, 8, Value::of(Word{7}));
  const Memory::Pages other = memory.roll_back(journal);
  memory.merge(one, other, kOther);
  EXPECT_EQ(memory.load(0, 8), Value::of(Word{5}));
  EXPECT_EQ(memory.load(8, 8), Value::unknown(kOther));   // written on one way only
  EXPECT_EQ(memory.load(16, 8), Value::unknown(kOther));
  EXPECT_EQ(memory.load(24, 8), Value::of(Word{0}));
}

}  // namespace
}  // namespace trikal::predict
