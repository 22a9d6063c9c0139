#include "analyze/dataset/call_sites.hpp"

#include <gtest/gtest.h>

namespace trikal::analyze {
namespace {

SiteUse site(std::uint64_t file, const char* interface, const char* operation, std::int64_t line, double seconds) {
  return {.file = file,
          .interface = interface,
          .operation = operation,
          .object = "/bin/app",
          .build = "",
          .function = "work",
          .source = "/src/solver.c",
          .line = line,
          .offset = line,
          .count = 1,
          .bytes = 10,
          .seconds = seconds};
}

TEST(CallSites, SaysAsMuchAsIsKnown) {
  SiteUse one = site(1, "POSIX", "write", 120, 0);
  EXPECT_EQ(site_text(one), "solver.c:120 (work)");
  one.line = 0, one.offset = 0x1234;
  EXPECT_EQ(site_text(one), "app+0x1234 (work)");
  one.function.clear();
  EXPECT_EQ(site_text(one), "app+0x1234");
  one.object = "<inlined by the compiler>";
  EXPECT_EQ(site_text(one), "<inlined by the compiler>");
  EXPECT_EQ(through_text(one), "");
  one.through = "libc.so.6 (write) < libgfortran.so.5 (flush_all)";
  EXPECT_EQ(through_text(one), " through libgfortran.so.5 (flush_all)");
}

TEST(CallSites, RanksOfOneCallSiteAreOneRow) {
  const auto sums = sum_sites({site(1, "POSIX", "write", 7, 1), site(1, "POSIX", "write", 9, 5),
                               site(1, "POSIX", "write", 7, 2), site(2, "POSIX", "write", 7, 4)});
  ASSERT_EQ(sums.size(), 3U);
  EXPECT_EQ(sums[0].line, 9);  // the most seconds
  EXPECT_EQ(sums[2].seconds, 3);
  EXPECT_EQ(sums[2].count, 2);
  EXPECT_EQ(sums[2].bytes, 20);
  EXPECT_EQ(sums[2].ranks, 2);
}

TEST(CallSites, TheOutermostInterfaceIsTheOneToChange) {
  const std::vector<SiteUse> all = {site(1, "POSIX", "write", 1, 9), site(1, "STDIO", "stream write", 2, 1),
                                    site(1, "STDIO", "stream write", 3, 1), site(2, "MPI-IO", "MPI write", 4, 1)};
  const auto worst = worst_sites(all, 1, SiteKind::kWrites, 1);
  ASSERT_EQ(worst.size(), 1U);
  EXPECT_EQ(worst[0].line, 2);
  EXPECT_TRUE(worst_sites(all, 1, SiteKind::kReads, 3).empty());
  EXPECT_TRUE(worst_sites(all, 3, SiteKind::kAny, 3).empty());
}

TEST(CallSites, KindsAreToldByTheLastWord) {
  EXPECT_TRUE(is_of(SiteKind::kReads, site(1, "MPI-IO", "MPI collective read", 1, 0)));
  EXPECT_TRUE(is_of(SiteKind::kOpens, site(1, "STDIO", "fopen", 1, 0)));
  EXPECT_TRUE(is_of(SiteKind::kSyncs, site(1, "POSIX", "fdatasync", 1, 0)));
  EXPECT_FALSE(is_of(SiteKind::kWrites, site(1, "POSIX", "read", 1, 0)));
  EXPECT_TRUE(is_of(SiteKind::kData, site(1, "POSIX", "read", 1, 0)));
}

}  // namespace
}  // namespace trikal::analyze
