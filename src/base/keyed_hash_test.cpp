#include "base/keyed_hash.hpp"

#include <gtest/gtest.h>

#include <set>

namespace trikal {
namespace {

TEST(KeyedHash, IsSipHash13OfEightBytes) {
  // Key 00 01 .. 0f, input 00 01 .. 07. The value is that of a generic SipHash(c, d) in Python, which gives the
  // published a129ca6149be45e5 for SipHash-2-4 of 00 .. 0e.
  const KeyedHash hash(0x0706050403020100U, 0x0f0e0d0c0b0a0908U);
  EXPECT_EQ(hash(0x0706050403020100U), 0x369095118d299a8eU);
}

TEST(KeyedHash, OneKeyInTheProcess) { EXPECT_EQ(KeyedHash()(42), KeyedHash()(42)); }

TEST(KeyedHash, AnotherKeyIsAnotherHash) { EXPECT_NE(KeyedHash(1, 2)(42), KeyedHash(1, 3)(42)); }

TEST(KeyedHash, LowBitsSpreadWhateverTheIds) {
  // Ids that differ only in their upper bits, and multiples of a bucket count: both are what an attacker tries.
  for (const std::uint64_t step : {std::uint64_t{1} << 40, std::uint64_t{107897}, std::uint64_t{1}}) {
    std::set<std::size_t> buckets;
    for (std::uint64_t i = 0; i < 4096; ++i) buckets.insert(KeyedHash()(i * step) & 4095);
    EXPECT_GT(buckets.size(), 2300U) << step;  // chance gives 4096 * (1 - 1/e) = 2589
  }
}

}  // namespace
}  // namespace trikal
