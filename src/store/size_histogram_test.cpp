#include "store/size_histogram.hpp"

#include <gtest/gtest.h>

#include "stream/wire/batch_bytes.hpp"

namespace trikal::storage {
namespace {

TEST(SizeHistogram, PercentilesAreRightToASixteenth) {
  SizeHistogram sizes;
  for (std::int64_t i = 10'000; i > 0; --i) sizes.add(i * 1000);
  EXPECT_EQ(sizes.count(), 10'000U);
  for (const double share : {0.01, 0.5, 0.9, 0.99})
    EXPECT_NEAR(static_cast<double>(sizes.percentile(share)), share * 1e7, share * 1e7 / 16) << share;
}

TEST(SizeHistogram, TakesAnyNumber) {
  SizeHistogram sizes;
  for (const std::int64_t value : {INT64_MIN, std::int64_t{-1}, std::int64_t{0}, std::int64_t{1}, INT64_MAX})
    sizes.add(value);
  const auto octaves = sizes.octaves();
  EXPECT_EQ(octaves.at(0), 3);
  EXPECT_EQ(octaves.at(1), 1);
  EXPECT_EQ(octaves.at(std::int64_t{1} << 62), 1);
}

TEST(SizeHistogram, GoesThroughBytesAndAddsUp) {
  SizeHistogram sizes, again, both;
  for (std::int64_t i = 0; i < 5000; ++i) sizes.add(i * i * i);
  stream::Encoder out(0);
  sizes.encode(out);
  const auto bytes = out.take();
  for (SizeHistogram* into : {&again, &both, &both}) {
    stream::Decoder in(bytes);
    into->add_from(in);
    EXPECT_TRUE(in.ok() && in.at_end());
  }
  EXPECT_EQ(again.octaves(), sizes.octaves());
  EXPECT_EQ(again.percentile(0.9), sizes.percentile(0.9));
  EXPECT_EQ(both.count(), 2 * sizes.count());
  sizes.add(sizes);
  EXPECT_EQ(both.octaves(), sizes.octaves());
}

TEST(SizeHistogram, RefusesBucketsThatDoNotExist) {
  stream::Encoder out(0);
  for (const std::uint64_t number : {2U, 500U, 1U, 60U, 1U}) out.number(number);
  const auto bytes = out.take();
  stream::Decoder in(bytes);
  SizeHistogram sizes;
  sizes.add_from(in);
  EXPECT_FALSE(in.ok());
}

}  // namespace
}  // namespace trikal::storage
