#include "compat/tools/personality.hpp"

#include <gtest/gtest.h>

namespace trikal::compat {
namespace {

TEST(Personality, IsTheLastPartOfTheName) {
  for (const char* name : {"darshan-parser", "./darshan-parser", "/usr/bin/darshan-parser"}) {
    const Personality* found = find_personality(name);
    ASSERT_NE(found, nullptr) << name;
    EXPECT_EQ(found->run, run_parser);
  }
  EXPECT_EQ(find_personality("darshan-dxt-parser")->run, run_dxt_parser);
  EXPECT_EQ(find_personality("darshan-analyzer")->run, run_analyzer);
  EXPECT_EQ(find_personality("darshan-job-summary")->run, run_job_summary);
  EXPECT_EQ(find_personality("darshan-summary-per-file")->run, run_summary_per_file);
}

TEST(Personality, OtherNamesHaveNone) {
  for (const char* name : {"trikal", "", "darshan-parser/trikal", "darshan-parser.old", "x-darshan-parser"}) {
    EXPECT_EQ(find_personality(name), nullptr) << name;
  }
}

}  // namespace
}  // namespace trikal::compat
