#include "stream/wire/event_spec.hpp"

#include <gtest/gtest.h>

namespace trikal::stream {
namespace {

EventSpec parsed(std::string_view text) {
  EventSpec spec;
  const char* problem = parse_event_spec(text, spec);
  EXPECT_EQ(problem, nullptr) << text << ": " << problem;
  return spec;
}

TEST(EventSpec, LevelsAreOffAllAndOneInN) {
  EXPECT_FALSE(parsed("off").is_on());
  EXPECT_EQ(parsed("all").sample, 1U);
  EXPECT_EQ(parsed("1").sample, 1U);
  EXPECT_EQ(parsed("1/250").sample, 250U);
}

TEST(EventSpec, FiltersFollowTheLevel) {
  const EventSpec spec = parsed(
      "1/3,interface=posix+hdf5,operation=*read,file=*.h5+/scratch/*,from=2.5,until=@1700000000.25,"
      "memory=8,details");
  EXPECT_EQ(spec.interfaces, "posix+hdf5");
  EXPECT_EQ(spec.operations, "*read");
  EXPECT_EQ(spec.files, "*.h5+/scratch/*");
  EXPECT_DOUBLE_EQ(spec.from, 2.5);
  EXPECT_FALSE(spec.from_is_absolute);
  EXPECT_DOUBLE_EQ(spec.until, 1700000000.25);
  EXPECT_TRUE(spec.until_is_absolute);
  EXPECT_EQ(spec.memory, 8U);
  EXPECT_TRUE(spec.details);
}

TEST(EventSpec, WhatIsWrongIsSaid) {
  for (const char* text :
       {"", "some", "1/0", "1/", "1/x", "1/99999999999", "all,", "all,file", "all,file=", "all,color=red", "all,from=x",
        "all,from=1.", "all,until=@", "all,memory=0", "all,memory=99999", "all,details=1"}) {
    EventSpec spec;
    EXPECT_NE(parse_event_spec(text, spec), nullptr) << text;
  }
}

TEST(EventSpec, NamesMatchWhateverTheirCase) {
  EXPECT_TRUE(list_has("posix+mpi-io", "MPI-IO"));
  EXPECT_TRUE(list_has("stream-read", "stream read"));
  EXPECT_TRUE(list_has("*read", "MPI collective read"));
  EXPECT_FALSE(list_has("read", "stream read"));
  EXPECT_FALSE(list_has("posix", "STDIO"));
}

TEST(EventSpec, PathsMatchByteForByte) {
  EXPECT_TRUE(paths_have("*.h5+/tmp/?.dat", "/data/run.h5"));
  EXPECT_TRUE(paths_have("*.h5+/tmp/?.dat", "/tmp/a.dat"));
  EXPECT_FALSE(paths_have("*.H5", "/data/run.h5"));
  EXPECT_FALSE(paths_have("*.h5", "/data/run.h5x"));
  EXPECT_TRUE(paths_have("*a*a*a*b", "aaaaaaaaaaaaaaaaaaaaab"));
  EXPECT_FALSE(paths_have("*a*a*a*b", "aaaaaaaaaaaaaaaaaaaaaa"));
}

}  // namespace
}  // namespace trikal::stream
