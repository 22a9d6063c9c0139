#include "predict/world/random.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace trikal::predict {
namespace {

// The truth is this machine's libc.
TEST(Random, GivesTheNumbersOfRand) {
  for (const unsigned seed : {0U, 1U, 2U, 42U, 2147483647U, 4000000000U}) {
    Random random;
    random.seed(seed, true);
    srand(seed);
    for (int i = 0; i < 1000; ++i) ASSERT_EQ(*random.next(), static_cast<Word>(rand())) << seed << " at " << i;
  }
}

TEST(Random, WithoutASeedIsSeededWithOne) {
  Random random;
  srand(1);
  for (int i = 0; i < 100; ++i) ASSERT_EQ(*random.next(), static_cast<Word>(rand()));
}

TEST(Random, GivesTheNumbersOfDrand48) {
  Random random;
  random.seed_48(7, true);
  srand48(7);
  for (int i = 0; i < 100; ++i) ASSERT_EQ(*random.next_48() >> 17, static_cast<Word>(lrand48()));
}

TEST(Random, SkippedNumbersAreAsTaken) {
  Random one, other;
  for (int i = 0; i < 1000; ++i) (void)one.next();
  other.skip(1000, 0);
  EXPECT_EQ(one.next(), other.next());
  EXPECT_EQ(one.taken(), other.taken());
}

TEST(Random, CopiesGoTheirOwnWay) {
  Random one;
  (void)one.next();
  Random other = one;
  const auto next = one.next();
  (void)one.next();
  EXPECT_EQ(other.next(), next);
}

TEST(Random, ASeedThatIsNotKnownMakesNothingKnown) {
  Random random;
  random.seed(3, false);
  EXPECT_FALSE(random.next());
  random.seed(3, true);
  EXPECT_TRUE(random.next());
}

}  // namespace
}  // namespace trikal::predict
