#include "cli/darshan_settings.hpp"

#include <gtest/gtest.h>

namespace trikal::cli {
namespace {

using Names = std::vector<std::string>;

TEST(DarshanSettings, NamesVariablesWithoutEffect) {
  const char* environment[] = {"PATH=/bin",
                               "DXT_ENABLE_IO_TRACE=1",
                               "DARSHAN_MODMEM=8",
                               "DARSHAN_MAX_RECORDS=9",
                               "DARSHAN_JOBID=JOB",
                               "DARSHAN_LDMS_ENABLE=1",
                               "DARSHAN_LDMS_REINIT=1",
                               "DARSHAN_DXT_SMALL_IO_TRIGGER=0.5",
                               "DARSHAN_DXT_UNALIGNED_IO_TRIGGER=0.5",
                               nullptr};
  EXPECT_EQ(idle_variables(environment), (Names{"DARSHAN_LDMS_REINIT", "DARSHAN_MAX_RECORDS"}));
}

TEST(DarshanSettings, NamesDirectivesWithoutEffect) {
  EXPECT_EQ(idle_directives("# MAX_RECORDS 1 *\n MAX_RECORDS 5000 POSIX\nMODMEM 8\nMAX_RECORDS 7 *\nDUMP_CONFIG 1"),
            (Names{"MAX_RECORDS", "DUMP_CONFIG"}));
}

TEST(DarshanSettings, NamesExpressionsThatAreRefused) {
  EXPECT_EQ(refused_expressions("NAME_EXCLUDE \\.(so|py)$,^/(tmp|x)/ *\nAPP_EXCLUDE git"), Names{});
  EXPECT_EQ(refused_expressions("NAME_EXCLUDE a,\\bb *").size(), 1U);
  EXPECT_EQ(refused_expressions("APP_INCLUDE (ab"),
            Names{"APP_INCLUDE: the regular expression (ab has a group without its end: it matches nothing"});
}

}  // namespace
}  // namespace trikal::cli
