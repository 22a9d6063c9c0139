#include "analyze/compare/file_keys.hpp"

#include <gtest/gtest.h>

namespace trikal::analyze {
namespace {

log::NameTable table(std::initializer_list<std::pair<std::uint64_t, const char*>> names) {
  log::NameTable made;
  for (const auto& [id, name] : names) made.add(id, name);
  return made;
}

TEST(LastComponents, CountFromTheEnd) {
  EXPECT_EQ(last_components("/a/b/c", 1), "c");
  EXPECT_EQ(last_components("/a/b/c", 2), "b/c");
  EXPECT_EQ(last_components("/a/b/c", 3), "a/b/c");
  EXPECT_EQ(last_components("/a/b/c", 4), "") << "what is before the first slash is no component";
  EXPECT_EQ(last_components("c", 1), "c");
  EXPECT_EQ(last_components("c", 2), "");
  EXPECT_EQ(last_components("", 1), "");
}

TEST(FileKeys, ByIdNothingChanges) { EXPECT_EQ(FileKeys().of_b(5), 5U); }

TEST(FileKeys, EqualNamesFirst) {
  const FileKeys keys(table({{1, "/x/f"}, {2, "/y/f"}}), table({{10, "/y/f"}, {11, "/x/f"}}));
  EXPECT_EQ(keys.of_b(10), 2U);
  EXPECT_EQ(keys.of_b(11), 1U);
}

TEST(FileKeys, LongerEndsBeforeShorterOnes) {
  const FileKeys keys(table({{1, "/run1/in/data"}, {2, "/run1/out/data"}, {3, "/run1/log"}}),
                      table({{10, "/run2/out/data"}, {11, "/run2/in/data"}, {12, "/tmp/log"}}));
  EXPECT_EQ(keys.of_b(10), 2U);
  EXPECT_EQ(keys.of_b(11), 1U);
  EXPECT_EQ(keys.of_b(12), 3U);
}

TEST(FileKeys, WhatIsNotOneToOneStaysApart) {
  const FileKeys keys(table({{1, "/run1/a/f"}, {2, "/run1/b/f"}}), table({{1, "/run2/c/f"}}));
  EXPECT_NE(keys.of_b(1), 1U) << "its id is another file's in A";
  EXPECT_NE(keys.of_b(1), 2U);
}

TEST(FileKeys, IdsWithoutNamesStay) {
  const FileKeys keys(table({{1, "f"}}), table({{2, ""}}));
  EXPECT_EQ(keys.of_b(2), 2U);
  EXPECT_EQ(keys.of_b(99), 99U);
}

}  // namespace
}  // namespace trikal::analyze
