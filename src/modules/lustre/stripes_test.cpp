#include "modules/lustre/stripes.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace trikal::modules::lustre {
namespace {

struct Comp {
  std::int64_t start, end, size;
  std::vector<std::int64_t> targets;
};

std::vector<std::byte> record_of(const std::vector<Comp>& comps) {
  std::vector<std::byte> record(kHeadBytes + comps.size() * kComponentBytes);
  store(record.data() + kNumCompsAt, std::uint64_t{comps.size()});
  std::uint64_t stripes = 0;
  for (std::size_t i = 0; i < comps.size(); ++i) {
    std::byte* at = record.data() + kHeadBytes + i * kComponentBytes;
    store(at + kStripeSizeAt, comps[i].size);
    store(at + kStripeCountAt, std::int64_t(comps[i].targets.size()));
    store(at + kExtStartAt, comps[i].start);
    store(at + kExtEndAt, comps[i].end);
    stripes += comps[i].targets.size();
  }
  for (const Comp& comp : comps) {
    for (const std::int64_t target : comp.targets) {
      record.resize(record.size() + 8);
      store(record.data() + record.size() - 8, target);
    }
  }
  store(record.data() + kNumStripesAt, stripes);
  return record;
}

std::vector<std::int64_t> touched(const std::vector<Comp>& comps, std::int64_t offset, std::int64_t length) {
  std::vector<std::int64_t> found;
  for_each_target(record_of(comps), offset, length, [&](std::int64_t target) { found.push_back(target); });
  return found;
}

using Targets = std::vector<std::int64_t>;
const std::vector<Comp> kPlain = {{0, -1, 100, {7, 8, 9}}};

TEST(Stripes, GoRoundTheTargets) {
  EXPECT_EQ(touched(kPlain, 0, 1), Targets({7}));
  EXPECT_EQ(touched(kPlain, 99, 1), Targets({7}));
  EXPECT_EQ(touched(kPlain, 99, 2), Targets({7, 8}));
  EXPECT_EQ(touched(kPlain, 100, 100), Targets({8}));
  EXPECT_EQ(touched(kPlain, 250, 100), Targets({9, 7}));
  EXPECT_EQ(touched(kPlain, 600, 1), Targets({7}));
}

TEST(Stripes, OnceRoundIsAll) {
  EXPECT_EQ(touched(kPlain, 100, 100000), Targets({8, 9, 7}));
  EXPECT_EQ(touched(kPlain, 150, std::numeric_limits<std::int64_t>::max()), Targets({8, 9, 7}));
}

TEST(Stripes, NothingTouchesNothing) {
  EXPECT_EQ(touched(kPlain, 0, 0), Targets{});
  EXPECT_EQ(touched(kPlain, -1, 100), Targets{}) << "an offset the log does not know";
  EXPECT_EQ(touched({{0, -1, 0, {7}}}, 0, 10), Targets{}) << "no stripe size";
  EXPECT_EQ(touched({{0, -1, 10, {}}}, 0, 10), Targets{}) << "data on an MDT";
}

TEST(Stripes, ComponentsCoverTheirExtents) {
  const std::vector<Comp> comps = {{0, 1000, 1000, {1}}, {1000, -1, 500, {2, 3}}};
  EXPECT_EQ(touched(comps, 0, 1000), Targets({1}));
  EXPECT_EQ(touched(comps, 999, 2), Targets({1, 2}));
  EXPECT_EQ(touched(comps, 1500, 10), Targets({3})) << "stripes are counted from the start of the file";
}

}  // namespace
}  // namespace trikal::modules::lustre
