#include "analyze/dataset/packed_uses.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

namespace trikal::analyze {
namespace {

constexpr std::size_t kWords = sizeof(Use) / 8;

bool same(const Use& a, const Use& b) { return std::memcmp(&a, &b, sizeof a) == 0; }

// Words that are not zero in about `tenths` of ten words.
Use random_use(std::mt19937_64& random, unsigned tenths) {
  Use use;
  for (std::size_t i = 0; i < kWords; ++i) {
    const std::uint64_t word = random() % 10 < tenths ? random() : 0;
    std::memcpy(reinterpret_cast<std::byte*>(&use) + 8 * i, &word, 8);
  }
  return use;
}

TEST(PackedUses, GivesBackWhatItWasGiven) {
  std::mt19937_64 random(5);
  PackedUses packed;
  std::vector<Use> plain = {Use{}};  // a rank of -1 is not nothing
  for (unsigned i = 0; i < 5000; ++i) plain.push_back(random_use(random, i % 11));
  for (std::size_t i = 0; i < plain.size(); ++i) EXPECT_EQ(packed.add(plain[i]), i);
  ASSERT_EQ(packed.size(), plain.size());
  PackedUses::Unpacked unpacked;
  for (std::uint32_t i = 0; i < plain.size(); ++i) {
    EXPECT_TRUE(same(packed.get(i), plain[i])) << i;
    packed.get(i, unpacked);  // it still has the one before
    EXPECT_TRUE(same(unpacked.use(), plain[i])) << i;
  }
}

TEST(PackedUses, ReplacesWhereItLiesAndElsewhere) {
  std::mt19937_64 random(6);
  PackedUses packed;
  std::vector<Use> plain;
  for (unsigned i = 0; i < 300; ++i) plain.push_back(random_use(random, 3)), (void)packed.add(plain.back());
  for (unsigned round = 0; round < 20; ++round) {
    for (std::uint32_t i = 0; i < plain.size(); ++i) {
      plain[i] = random_use(random, (i + round) % 11);  // larger and smaller than before
      packed.replace(i, plain[i]);
    }
    for (std::uint32_t i = 0; i < plain.size(); ++i) ASSERT_TRUE(same(packed.get(i), plain[i])) << round << ' ' << i;
  }
}

TEST(PackedUses, TakesLittleForWhatIsMostlyZero) {
  PackedUses packed;
  Use use;
  use.opens = 1, use.ranks = 1;
  use.write = {.calls = 4, .bytes = 400};
  for (unsigned i = 0; i < 100'000; ++i) {
    (void)packed.add(use);
    use.write.bytes += 1;
    packed.replace(i, use);  // as many words: it stays where it is
  }
  EXPECT_LT(packed.bytes(), 100'000 * sizeof(Use) / 6);
}

}  // namespace
}  // namespace trikal::analyze
