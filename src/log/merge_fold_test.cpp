#include "log/merge_fold.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "base/bytes.hpp"
#include "modules/bgq/schema.hpp"
#include "schema/record.hpp"

namespace trikal::log {
namespace {

TEST(SharedFold, CountsDifferentValues) {
  using BgqRecord = Record<modules::bgq::kSchema>;
  const std::uint64_t ids[] = {4};
  SharedFold fold(modules::bgq::kSchema, ids);
  for (std::int64_t rank = 0; rank < 5; ++rank) {
    BgqRecord record;
    record.set_base({4, rank});
    record.at<"BGQ_INODES">() = rank % 2;
    record.at<"BGQ_NNODES">() = 32;
    EXPECT_TRUE(fold.add(std::as_bytes(std::span{record.words}).data()));
  }
  const auto folded = load<BgqRecord>(fold.finish().data());
  EXPECT_EQ(BgqRecord(folded).at<"BGQ_INODES">(), 2);
  EXPECT_EQ(BgqRecord(folded).at<"BGQ_NNODES">(), 32);
}

TEST(RankCensus, KnowsWhoIsMissing) {
  RankCensus census(4);
  for (const std::int64_t rank : {0, 1, 2, 3}) census.count({10, rank});
  for (const std::int64_t rank : {1, 2, 3}) census.count({11, rank});
  for (const std::int64_t rank : {0, 1, 2}) census.count({12, rank});
  for (const std::int64_t rank : {1, 2, 2, 1}) census.count({13, rank});
  for (const std::int64_t rank : {-1, 1, 2, 3}) census.count({14, rank});
  EXPECT_EQ(census.shared_ids(), (std::vector<std::uint64_t>{10, 11}));
  EXPECT_TRUE(census.without_first_rank(11));
  EXPECT_FALSE(census.without_first_rank(10));
  EXPECT_FALSE(census.shared(99));
  RankCensus two(2);
  two.count({5, 1});
  EXPECT_FALSE(two.shared(5));  // a file of one rank is nobody else's
}

}  // namespace
}  // namespace trikal::log
