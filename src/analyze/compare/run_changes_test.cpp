#include "analyze/compare/run_changes.hpp"

#include <gtest/gtest.h>

namespace trikal::analyze {
namespace {

RunDigest run(double seconds, std::initializer_list<std::pair<const char*, double>> files = {}) {
  RunDigest digest;
  digest.numbers[{Aspect::kRun, "", "seconds"}] = {seconds, Metric::kSeconds};
  for (const auto& [name, took] : files) digest.numbers[{Aspect::kFile, name, "seconds"}] = {took, Metric::kSeconds};
  return digest;
}

TEST(RunChanges, OneRunEachIsNoProof) {
  const RunDigest a[] = {run(4)}, b[] = {run(2)};
  const RunChanges changes = compare_runs(a, b, 0.05);
  const NumberChange* seconds = changes.find(Aspect::kRun, "", "seconds");
  ASSERT_NE(seconds, nullptr);
  EXPECT_EQ(seconds->difference(), -2);
  EXPECT_EQ(seconds->verdict, Verdict::kSingle);
  EXPECT_EQ(changes.tested, 0U);
}

TEST(RunChanges, MoreRunsMakeItSure) {
  const RunDigest a3[] = {run(4), run(4.1), run(3.9)}, b3[] = {run(2), run(2.1), run(1.9)};
  EXPECT_EQ(compare_runs(a3, b3, 0.05).numbers[0].verdict, Verdict::kApart);  // one in ten by chance
  const RunDigest a4[] = {run(4), run(4.1), run(3.9), run(9)}, b4[] = {run(2), run(2.1), run(1.9), run(2)};
  const RunChanges changes = compare_runs(a4, b4, 0.05);
  EXPECT_EQ(changes.numbers[0].verdict, Verdict::kSure);
  EXPECT_NEAR(changes.numbers[0].middle_a, 4.05, 1e-12);
  EXPECT_EQ(changes.sure, 1U);
  const RunDigest c4[] = {run(4), run(3.8), run(4.2), run(3.95)};
  EXPECT_EQ(compare_runs(a4, c4, 0.05).numbers[0].verdict, Verdict::kNoise);
  EXPECT_EQ(compare_runs(a3, a3, 0.05).numbers[0].verdict, Verdict::kNoise);
}

TEST(RunChanges, FilesOfOneSideAndTheirOrder) {
  const RunDigest a[] = {run(4, {{"both", 1}, {"gone", 0.5}})}, b[] = {run(4, {{"both", 1}, {"new", 3}})};
  const RunChanges changes = compare_runs(a, b, 0.05);
  EXPECT_EQ(changes.find(Aspect::kRun, "", "seconds")->verdict, Verdict::kSame);
  const auto files = subjects_of(changes, Aspect::kFile);
  ASSERT_EQ(files.size(), 3U);
  EXPECT_EQ(files[0].subject, "new");
  EXPECT_TRUE(files[0].numbers[0].only_b);
  EXPECT_EQ(files[1].subject, "gone");
  EXPECT_TRUE(files[1].numbers[0].only_a);
  EXPECT_EQ(files[2].subject, "both");
}

}  // namespace
}  // namespace trikal::analyze
