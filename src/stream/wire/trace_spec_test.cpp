#include "stream/wire/trace_spec.hpp"

#include <gtest/gtest.h>

namespace trikal::stream {
namespace {

TEST(TraceSpec, AllAndRules) {
  TraceSpec spec;
  EXPECT_EQ(parse_trace_spec("1", spec), nullptr);
  EXPECT_TRUE(spec.on && !spec.has_shares());
  EXPECT_EQ(parse_trace_spec("off", spec), nullptr);
  EXPECT_FALSE(spec.on);
  EXPECT_EQ(
      parse_trace_spec("all,file=*.h5+/scratch/*,rank=0+4:7,from=1.5,until=@1700000000,small=0.5,unaligned=.25", spec),
      nullptr);
  EXPECT_EQ(spec.files, "*.h5+/scratch/*");
  EXPECT_EQ(spec.ranks, "0+4:7");
  EXPECT_DOUBLE_EQ(spec.from, 1.5);
  EXPECT_TRUE(spec.until_is_absolute);
  EXPECT_DOUBLE_EQ(spec.small, 0.5);
  EXPECT_DOUBLE_EQ(spec.unaligned, 0.25);
  EXPECT_TRUE(spec.has_shares());
}

TEST(TraceSpec, WhatIsWrongIsSaid) {
  TraceSpec spec;
  for (const char* text : {"", "some", "1/3", "all,", "all,file=", "all,color=red", "all,from=x",
                           "all,until=", "all,small=2", "all,small=@0.5", "all,unaligned=x", "all,unaligned=."})
    EXPECT_NE(parse_trace_spec(text, spec), nullptr) << text;
}

TEST(TraceSpec, RanksAreNumbersAndRanges) {
  EXPECT_TRUE(ranks_have("3", 3));
  EXPECT_FALSE(ranks_have("3", 4));
  EXPECT_TRUE(ranks_have("0+4:7", 5));
  EXPECT_FALSE(ranks_have("0+4:7", 8));
  EXPECT_TRUE(ranks_have(":2", 1));
  EXPECT_TRUE(ranks_have("2:", 100));
  EXPECT_TRUE(ranks_have("*", 9));
  EXPECT_FALSE(ranks_have("x", 0));
  EXPECT_FALSE(ranks_have("99999999999999999999", 0));
}

}  // namespace
}  // namespace trikal::stream
