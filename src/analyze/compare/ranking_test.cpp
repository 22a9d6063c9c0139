#include "analyze/compare/ranking.hpp"

#include <gtest/gtest.h>

#include "modules/list.hpp"

namespace trikal::analyze {
namespace {

const ModulePair kPosix{.format = find_module("POSIX")};

RecordPair record(std::uint64_t file) {
  return {.module = &kPosix, .file = file, .id_a = file, .id_b = file, .rank = 0};
}

Change change(double relative, const char* name = "POSIX_READS") {
  return {name, Value(std::int64_t{1}), Value(std::int64_t{2}), Unit::kCalls, relative};
}

TEST(Ranking, LargestChangeFirst) {
  Ranking ranking(10, 10);
  ranking.add(record(1), change(0.1));
  ranking.add(record(2), change(0.2));
  ranking.add(record(2), change(0.9, "POSIX_WRITES"));
  ranking.add(record(3), change(0.5));
  ranking.add_only(Side::kA, record(4));
  const auto ranked = ranking.ranked();
  ASSERT_EQ(ranked.size(), 4U);
  EXPECT_EQ(ranked[0]->id_a, 2U);
  EXPECT_EQ(ranked[0]->kept[0].name, "POSIX_WRITES");
  EXPECT_EQ(ranked[1]->id_a, 3U);
  EXPECT_EQ(ranked[2]->id_a, 1U);
  EXPECT_EQ(ranked[3]->only_a, 1U) << "files without a change come last";
  EXPECT_EQ(ranked[3]->modules_a, std::uint64_t{1} << kPosix.schema().id);
}

TEST(Ranking, KeepsTheLargestOfAFile) {
  Ranking ranking(10, 2);
  for (int i = 0; i < 1000; ++i) ranking.add(record(1), change(i / 1000.0, std::to_string(i).c_str()));
  const auto ranked = ranking.ranked();
  ASSERT_EQ(ranked[0]->kept.size(), 2U);
  EXPECT_EQ(ranked[0]->kept[0].name, "999");
  EXPECT_EQ(ranked[0]->kept[1].name, "998");
  EXPECT_EQ(ranked[0]->changes, 1000U);
}

TEST(Ranking, MemoryFollowsWhatIsShown) {
  Ranking few(5, 5);
  Ranking all(Ranking::kNoBound, Ranking::kNoBound);
  for (std::uint64_t file = 1; file <= 20000; ++file) {
    for (int i = 0; i < 10; ++i) {
      few.add(record(file), change(static_cast<double>(file) / 20000));
      all.add(record(file), change(static_cast<double>(file) / 20000));
    }
  }
  EXPECT_LT(few.bytes(), all.bytes() / 3);
  const auto ranked = few.ranked();
  ASSERT_EQ(ranked.size(), 20000U);
  for (std::uint64_t i = 0; i < 5; ++i) {
    EXPECT_EQ(ranked[i]->id_a, 20000U - i);
    EXPECT_EQ(ranked[i]->kept.size(), 5U);
    EXPECT_EQ(ranked[i]->changes, 10U);
  }
}

}  // namespace
}  // namespace trikal::analyze
