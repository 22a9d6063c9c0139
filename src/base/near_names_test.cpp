#include "base/near_names.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace trikal {
namespace {

using testing::ElementsAre;

TEST(EditDistance, CountsEdits) {
  EXPECT_EQ(edit_distance("parse", "parse", 9), 0U);
  EXPECT_EQ(edit_distance("parse", "PARSE", 9), 0U);
  EXPECT_EQ(edit_distance("prase", "parse", 9), 1U) << "a swap is one";
  EXPECT_EQ(edit_distance("pase", "parse", 9), 1U);
  EXPECT_EQ(edit_distance("parsse", "parse", 9), 1U);
  EXPECT_EQ(edit_distance("purse", "parse", 9), 1U);
  EXPECT_EQ(edit_distance("", "abc", 9), 3U);
  EXPECT_EQ(edit_distance("kitten", "sitting", 9), 3U);
}

TEST(EditDistance, StopsWhereItDoesNotMatterAnyMore) {
  EXPECT_EQ(edit_distance("abcdef", "uvwxyz", 2), 3U);
  EXPECT_EQ(edit_distance("a", "abcdef", 2), 3U);
}

TEST(NearNames, TyposFirstThenParts) {
  const std::vector<std::string> names = {"POSIX_READS", "POSIX_SEQ_READS", "POSIX_WRITES", "STDIO_READS", "STDIO"};
  EXPECT_THAT(near_names("POSIX_RAEDS", names, 3), ElementsAre("POSIX_READS"));
  EXPECT_THAT(near_names("reads", names, 3), ElementsAre("POSIX_READS", "STDIO_READS", "POSIX_SEQ_READS"));
  EXPECT_THAT(near_names("reads", names, 1), ElementsAre("POSIX_READS"));
  EXPECT_THAT(near_names("zzz", names, 3), ElementsAre());
}

}  // namespace
}  // namespace trikal
